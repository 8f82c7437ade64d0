"""Uses Haystack as its users do."""

# docs:begin
import os

from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.utils import Secret


def generator(model, **options):
    return OpenAIChatGenerator(
        model=model,
        api_base_url=os.environ["FERRY_URL"] + "/v1",
        api_key=Secret.from_env_var("FERRY_API_KEY"),
        generation_kwargs={"temperature": 0},
        **options,
    )


# docs:end

import contextlib
import gc
import json

from haystack.dataclasses import ChatMessage
from haystack.tools import Tool

import ask

PLACE = {
    "type": "object",
    "properties": {"city": {"type": "string", "enum": ["Oslo", "Paris"]}},
    "required": ["city"],
    "additionalProperties": False,
}


class Enough(Exception):
    """Ends a stream: the library has no other way."""


def asked(question):
    return [ChatMessage.from_user(question["prompt"])]


def whole(question):
    [reply] = generator(question["model"]).run(asked(question))["replies"]
    usage = reply.meta["usage"]
    return {"text": reply.text, "usage": {"input": usage["prompt_tokens"], "output": usage["completion_tokens"]}}


def stream(question):
    pieces = []
    reader = generator(question["model"], streaming_callback=lambda chunk: pieces.append(chunk.content))
    reader.run(asked(question))
    pieces = [piece for piece in pieces if piece]
    return {"text": "".join(pieces), "pieces": len(pieces)}


def tools(question):
    cities = []

    def get_weather(city):
        cities.append(city)
        return ask.TOOL_RESULT

    weather = Tool(
        name="get_weather", description="Get the weather for a city", parameters=ask.WEATHER, function=get_weather
    )
    chat = generator(question["model"], tools=[weather])
    history = asked(question)
    [reply] = chat.run(history)["replies"]
    results = [ChatMessage.from_tool(weather.invoke(**call.arguments), origin=call) for call in reply.tool_calls]
    [after] = chat.run([*history, reply, *results])["replies"]
    return {"asked": cities, "text": after.text}


def structured(question):
    response_format = {"type": "json_schema", "json_schema": {"name": "place", "strict": True, "schema": PLACE}}
    [reply] = generator(question["model"]).run(asked(question), generation_kwargs={"response_format": response_format})[
        "replies"
    ]
    return json.loads(reply.text)


def cancel(question):
    def leave(chunk):
        if chunk.content:
            raise Enough

    with contextlib.suppress(Enough):
        generator(question["model"], streaming_callback=leave).run(asked(question))
        raise AssertionError("the stream ended by itself")
    # Nor does the library close the stream of its client: the garbage collector does.
    gc.collect()
    return {}


ask.serve(chat=whole, usage=whole, error=whole, stream=stream, tools=tools, structured=structured, cancel=cancel)
