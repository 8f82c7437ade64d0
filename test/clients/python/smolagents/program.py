"""Uses smolagents as its users do."""

# docs:begin
import os

from smolagents import OpenAIModel, ToolCallingAgent, tool


def model_named(name):
    return OpenAIModel(
        model_id=name,
        api_base=os.environ["FERRY_URL"] + "/v1",
        api_key=os.environ["FERRY_API_KEY"],
        temperature=0,
    )


# docs:end

import gc
import json

from smolagents.models import ChatMessage, MessageRole

import ask

PLACE = {
    "type": "object",
    "properties": {"city": {"type": "string", "enum": ["Oslo", "Paris"]}},
    "required": ["city"],
    "additionalProperties": False,
}


def messages(question):
    return [ChatMessage(role=MessageRole.USER, content=question["prompt"])]


def whole(question):
    message = model_named(question["model"]).generate(messages(question))
    usage = message.token_usage
    return {"text": message.content, "usage": {"input": usage.input_tokens, "output": usage.output_tokens}}


def stream(question):
    deltas = model_named(question["model"]).generate_stream(messages(question))
    pieces = [delta.content for delta in deltas if delta.content]
    return {"text": "".join(pieces), "pieces": len(pieces)}


def tools(question):
    @tool
    def get_weather(city: str) -> str:
        """Get the weather for a city

        Args:
            city: The city
        """
        return ask.TOOL_RESULT

    model = model_named(question["model"])
    message = model.generate(messages(question), tools_to_call_from=[get_weather], tool_choice="auto")
    arguments = [call.function.arguments for call in message.tool_calls or []]
    read = [json.loads(each) if isinstance(each, str) else each for each in arguments]
    history = [
        *messages(question),
        ChatMessage(role=MessageRole.TOOL_CALL, content=f"Calling tools: {arguments}"),
        ChatMessage(role=MessageRole.TOOL_RESPONSE, content=get_weather(**read[0])),
    ]
    return {"asked": [each["city"] for each in read], "text": model.generate(history).content}


def structured(question):
    message = model_named(question["model"]).generate(
        messages(question),
        response_format={"type": "json_schema", "json_schema": {"name": "place", "strict": True, "schema": PLACE}},
    )
    return json.loads(message.content)


def cancel(question):
    """The library does not close the stream of its client: the garbage collector does."""
    deltas = model_named(question["model"]).generate_stream(messages(question))
    for delta in deltas:
        if delta.content:
            break
    deltas.close()
    del deltas
    gc.collect()
    return {}


ask.serve(chat=whole, usage=whole, error=whole, stream=stream, tools=tools, structured=structured, cancel=cancel)
