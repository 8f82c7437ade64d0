"""/v1/messages with the Anthropic client."""

import asyncio
import json
import os

from anthropic import Anthropic, AsyncAnthropic

from openai_client import WEATHER, kept_client

TOOLS = [{"name": "get_weather", "description": "Get the weather for a city", "input_schema": WEATHER}]
PLACE = {
    "type": "object",
    "properties": {"city": {"type": "string", "enum": ["Oslo", "Paris"]}},
    "required": ["city"],
    "additionalProperties": False,
}


def options(question):
    # Which header carries the key depends on the name that it is given by, and on the version.
    credential = "api_key" if question.get("as_api_key") else "auth_token"
    return {
        "base_url": os.environ["FERRY_URL"],
        credential: question.get("key", os.environ["FERRY_API_KEY"]),
        "max_retries": 0,
        "_strict_response_validation": True,
    }


def sync_client(question):
    return kept_client(Anthropic, tuple(options(question).items()))


def request(question):
    return {
        "model": question["model"],
        "messages": [{"role": "user", "content": question["prompt"]}],
        "max_tokens": 200,
        # Not a parameter any more, from the second major on.
        "extra_body": {"temperature": 0},
    }


def joined(message, kind, field):
    return "".join(getattr(block, field) for block in message.content if block.type == kind)


def usage_of(usage):
    """Tokens of the prompt that were in the cache are counted apart from the others."""
    cached = (usage.cache_read_input_tokens or 0) + (usage.cache_creation_input_tokens or 0)
    return {"input": usage.input_tokens + cached, "output": usage.output_tokens}


def described(message):
    return {
        "text": joined(message, "text", "text"),
        "finish": message.stop_reason,
        "reasoning": joined(message, "thinking", "thinking"),
        "usage": usage_of(message.usage),
    }


def whole(question):
    return described(sync_client(question).messages.create(**request(question)))


def stream(question):
    pieces = []
    with sync_client(question).messages.stream(**request(question)) as events:
        for event in events:
            if event.type == "content_block_delta" and event.delta.type == "text_delta":
                pieces.append(event.delta.text)
        final = events.get_final_message()
    return {**described(final), "text": "".join(pieces), "pieces": len(pieces)}


def asynchronous(question):
    async def read():
        pieces = []
        async with AsyncAnthropic(**options(question)) as client:
            async with client.messages.stream(**request(question)) as events:
                async for text in events.text_stream:
                    pieces.append(text)
                final = await events.get_final_message()
        return {"text": "".join(pieces), "pieces": len(pieces), "finish": final.stop_reason}

    return asyncio.run(read())


def tools(question):
    """Asks, streamed and whole, and then again with the result of the call."""
    client = sync_client(question)
    asked = request(question)

    def calls_of(message):
        return [block for block in message.content if block.type == "tool_use"]

    with client.messages.stream(**asked, tools=TOOLS) as events:
        streamed = calls_of(events.get_final_message())
    message = client.messages.create(**asked, tools=TOOLS)
    [call] = calls_of(message)
    result = {"type": "tool_result", "tool_use_id": call.id, "content": "sunny, 21 degrees"}
    history = [
        *asked["messages"],
        {"role": "assistant", "content": message.content},
        {"role": "user", "content": [result]},
    ]
    after = client.messages.create(**{**asked, "messages": history}, tools=TOOLS)
    return {
        "calls": [{"name": each.name, "arguments": json.dumps(each.input)} for each in [*streamed, call]],
        "text": joined(after, "text", "text"),
    }


def structured(question):
    message = sync_client(question).messages.create(
        **request(question), output_config={"format": {"type": "json_schema", "schema": PLACE}}
    )
    return json.loads(joined(message, "text", "text"))


def cancel(question):
    """Leaves the stream after its first piece of text."""
    with sync_client(question).messages.stream(**request(question)) as events:
        for _ in events.text_stream:
            break
    return {}


def runner(question):
    """A tool runner, which sends the new turns of a thread only."""
    import anthropic

    sent = []

    @anthropic.beta_tool
    def get_weather(city: str) -> str:
        """Get the weather for a city."""
        return "sunny, 21 degrees"

    def record(sending):
        body = json.loads(sending.content)
        sent.append([(body.get("thread") or {}).get("type"), len(body["messages"])])

    http_client = anthropic.DefaultHttpxClient(event_hooks={"request": [record]})
    with Anthropic(**options(question), http_client=http_client) as client:
        tools = [get_weather]
        answers = list(client.beta.messages.tool_runner(**request(question), tools=tools))
    return {"sent": sent, "text": joined(answers[-1], "text", "text"), "finish": answers[-1].stop_reason}
