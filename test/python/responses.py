"""/v1/responses with the OpenAI client."""

import asyncio
from typing import Literal

from pydantic import BaseModel

from openai_client import WEATHER, async_client, sync_client

TOOLS = [{"type": "function", "name": "get_weather", "parameters": WEATHER, "strict": True}]


class Place(BaseModel):
    city: Literal["Oslo", "Paris"]


def request(question):
    return {
        "model": question["model"],
        "input": [{"role": "user", "content": question["prompt"]}],
        "temperature": 0,
        "max_output_tokens": 200,
    }


def text_of_reasoning(response):
    """Of the summary or of the content: models differ in which they show."""
    items = [item for item in response.output if item.type == "reasoning"]
    return "".join(part.text for item in items for part in [*(item.summary or []), *(item.content or [])])


def usage_of(usage):
    return {"input": usage.input_tokens, "output": usage.output_tokens} if usage else None


def described(response):
    return {
        "text": response.output_text,
        "finish": response.status,
        "reasoning": text_of_reasoning(response),
        "usage": usage_of(response.usage),
    }


def whole(question):
    return described(sync_client(question).responses.create(**request(question)))


def stream(question):
    pieces = []
    with sync_client(question).responses.stream(**request(question)) as events:
        for event in events:
            if event.type == "response.output_text.delta":
                pieces.append(event.delta)
        final = events.get_final_response()
    return {**described(final), "text": "".join(pieces), "pieces": len(pieces)}


def asynchronous(question):
    async def read():
        pieces, finish = [], None
        async with async_client(question) as client:
            async for event in await client.responses.create(**request(question), stream=True):
                if event.type == "response.output_text.delta":
                    pieces.append(event.delta)
                if event.type in ("response.completed", "response.incomplete", "response.failed"):
                    finish = event.response.status
        return {"text": "".join(pieces), "pieces": len(pieces), "finish": finish}

    return asyncio.run(read())


def tools(question):
    """Asks, streamed and whole, and then again with the result of the call."""
    client = sync_client(question)
    asked = request(question)

    def calls_of(response):
        return [item for item in response.output if item.type == "function_call"]

    with client.responses.stream(**asked, tools=TOOLS) as events:
        for _ in events:
            pass
        streamed = calls_of(events.get_final_response())
    first = client.responses.create(**asked, tools=TOOLS)
    [call] = calls_of(first)
    result = {"type": "function_call_output", "call_id": call.call_id, "output": "sunny, 21 degrees"}
    after = client.responses.create(**{**asked, "input": [result]}, tools=TOOLS, previous_response_id=first.id)
    return {
        "calls": [{"name": each.name, "arguments": each.arguments} for each in [*streamed, call]],
        "text": after.output_text,
    }


def structured(question):
    response = sync_client(question).responses.parse(**request(question), text_format=Place)
    return {"city": response.output_parsed.city}


def cancel(question):
    """Closes the stream after its first piece of text."""
    events = sync_client(question).responses.create(**request(question), stream=True)
    for event in events:
        if event.type == "response.output_text.delta":
            break
    events.close()
    return {}
