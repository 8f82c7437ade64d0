"""/v1/chat/completions with the OpenAI client."""

import asyncio
from typing import Literal

from pydantic import BaseModel

from openai_client import WEATHER, async_client, sync_client

TOOLS = [{"type": "function", "function": {"name": "get_weather", "parameters": WEATHER, "strict": True}}]


class Place(BaseModel):
    city: Literal["Oslo", "Paris"]


def request(question):
    return {
        "model": question["model"],
        "messages": [{"role": "user", "content": question["prompt"]}],
        "temperature": 0,
        "max_completion_tokens": 200,
    }


def usage_of(usage):
    return {"input": usage.prompt_tokens, "output": usage.completion_tokens} if usage else None


def described(completion):
    choice = completion.choices[0]
    return {
        "text": choice.message.content,
        "finish": choice.finish_reason,
        "reasoning": getattr(choice.message, "reasoning_content", None),
        "usage": usage_of(completion.usage),
    }


def whole(question):
    return described(sync_client(question).chat.completions.create(**request(question)))


class Collected:
    """What a program keeps of the chunks of a stream."""

    def __init__(self):
        self.pieces, self.reasoning, self.finish, self.usage = [], "", None, None

    def add(self, chunk):
        self.usage = usage_of(chunk.usage) or self.usage
        for choice in chunk.choices:
            if choice.delta.content:
                self.pieces.append(choice.delta.content)
            self.reasoning += getattr(choice.delta, "reasoning_content", None) or ""
            self.finish = choice.finish_reason or self.finish

    def described(self):
        return {
            "text": "".join(self.pieces),
            "pieces": len(self.pieces),
            "finish": self.finish,
            "reasoning": self.reasoning,
            "usage": self.usage,
        }


def stream(question):
    collected = Collected()
    chunks = sync_client(question).chat.completions.create(
        **request(question), stream=True, stream_options={"include_usage": True}
    )
    for chunk in chunks:
        collected.add(chunk)
    return collected.described()


def asynchronous(question):
    async def read():
        collected = Collected()
        async with async_client(question) as client:
            async for chunk in await client.chat.completions.create(**request(question), stream=True):
                collected.add(chunk)
        return collected.described()

    return asyncio.run(read())


def tools(question):
    """Asks, streamed and whole, and then again with the result of the call."""
    client = sync_client(question)
    asked = request(question)
    with client.chat.completions.stream(**asked, tools=TOOLS) as events:
        streamed = events.get_final_completion().choices[0].message.tool_calls
    message = client.chat.completions.create(**asked, tools=TOOLS).choices[0].message
    call = message.tool_calls[0]
    history = [
        *asked["messages"],
        message.model_dump(exclude_none=True),
        {"role": "tool", "tool_call_id": call.id, "content": "sunny, 21 degrees"},
    ]
    after = client.chat.completions.create(**{**asked, "messages": history}, tools=TOOLS)
    return {
        "calls": [{"name": each.function.name, "arguments": each.function.arguments} for each in [*streamed, call]],
        "text": after.choices[0].message.content,
    }


def structured(question):
    completion = sync_client(question).chat.completions.parse(**request(question), response_format=Place)
    return {"city": completion.choices[0].message.parsed.city}


def cancel(question):
    """Closes the stream after its first piece of text."""
    chunks = sync_client(question).chat.completions.create(**request(question), stream=True)
    for chunk in chunks:
        if chunk.choices and chunk.choices[0].delta.content:
            break
    chunks.close()
    return {}
