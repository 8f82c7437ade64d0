"""Uses the SDK of LiteLLM as its users do."""

# docs:begin
import os

import litellm


def complete(model, messages, **options):
    return litellm.completion(
        model="openai/" + model,
        api_base=os.environ["FERRY_URL"] + "/v1",
        api_key=os.environ["FERRY_API_KEY"],
        messages=messages,
        **options,
    )


# docs:end

import json

import ask

TOOL = {"type": "function", "function": {"name": "get_weather", "parameters": ask.WEATHER}}
PLACE = {
    "type": "object",
    "properties": {"city": {"type": "string", "enum": ["Oslo", "Paris"]}},
    "required": ["city"],
    "additionalProperties": False,
}
SETTINGS = {"temperature": 0, "max_tokens": 200, "num_retries": 0}


def asked(question):
    return [{"role": "user", "content": question["prompt"]}]


def whole(question):
    completion = complete(question["model"], asked(question), **SETTINGS)
    message = completion.choices[0].message
    return {
        "text": message.content,
        "reasoning": getattr(message, "reasoning_content", None),
        "usage": {"input": completion.usage.prompt_tokens, "output": completion.usage.completion_tokens},
    }


def stream(question):
    chunks = complete(question["model"], asked(question), stream=True, **SETTINGS)
    pieces = [chunk.choices[0].delta.content for chunk in chunks if chunk.choices[0].delta.content]
    return {"text": "".join(pieces), "pieces": len(pieces)}


def tools(question):
    history = asked(question)
    message = complete(question["model"], history, tools=[TOOL], **SETTINGS).choices[0].message
    [call] = message.tool_calls
    result = {"role": "tool", "tool_call_id": call.id, "content": ask.TOOL_RESULT}
    after = complete(question["model"], [*history, message.model_dump(), result], tools=[TOOL], **SETTINGS)
    return {"asked": [json.loads(call.function.arguments)["city"]], "text": after.choices[0].message.content}


def structured(question):
    response_format = {"type": "json_schema", "json_schema": {"name": "place", "strict": True, "schema": PLACE}}
    completion = complete(question["model"], asked(question), response_format=response_format, **SETTINGS)
    return json.loads(completion.choices[0].message.content)


async def cancel(question):
    chunks = await litellm.acompletion(
        model="openai/" + question["model"],
        api_base=os.environ["FERRY_URL"] + "/v1",
        api_key=os.environ["FERRY_API_KEY"],
        messages=asked(question),
        stream=True,
    )
    async for chunk in chunks:
        if chunk.choices[0].delta.content:
            break
    await chunks.aclose()
    return {}


def anthropic(question):
    completion = litellm.completion(
        model="anthropic/" + question["model"],
        api_base=os.environ["FERRY_URL"],
        api_key=os.environ["FERRY_API_KEY"],
        messages=asked(question),
        **SETTINGS,
    )
    return {"text": completion.choices[0].message.content}


ask.serve(
    anthropic=anthropic,
    chat=whole,
    reasoning=whole,
    usage=whole,
    error=whole,
    stream=stream,
    tools=tools,
    structured=structured,
    cancel=cancel,
)
