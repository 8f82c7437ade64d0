"""Uses Pydantic AI as its users do."""

# docs:begin
import os

from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

provider = OpenAIProvider(base_url=os.environ["FERRY_URL"] + "/v1", api_key=os.environ["FERRY_API_KEY"])


def agent_with(model, **options):
    return Agent(OpenAIChatModel(model, provider=provider), **options)


# docs:end

import asyncio
from typing import Literal

from pydantic import BaseModel
from pydantic_ai import NativeOutput
from pydantic_ai.messages import ThinkingPart

import ask

SETTINGS = {"temperature": 0, "max_tokens": 200}


class Place(BaseModel):
    city: Literal["Oslo", "Paris"]


async def whole(question):
    result = await agent_with(question["model"]).run(question["prompt"], model_settings=SETTINGS)
    usage = result.usage() if callable(result.usage) else result.usage
    parts = [part for message in result.all_messages() for part in message.parts]
    return {
        "text": result.output,
        "reasoning": "".join(part.content for part in parts if isinstance(part, ThinkingPart)),
        "usage": {"input": usage.input_tokens, "output": usage.output_tokens},
    }


async def stream(question):
    async with agent_with(question["model"]).run_stream(question["prompt"], model_settings=SETTINGS) as result:
        pieces = [piece async for piece in result.stream_text(delta=True, debounce_by=None)]
    return {"text": "".join(pieces), "pieces": len(pieces)}


async def tools(question):
    asked = []

    def get_weather(city: str) -> str:
        """Get the weather for a city"""
        asked.append(city)
        return ask.TOOL_RESULT

    agent = agent_with(question["model"], tools=[get_weather])
    result = await agent.run(question["prompt"], model_settings=SETTINGS)
    return {"asked": asked, "text": result.output}


async def structured(question):
    agent = agent_with(question["model"], output_type=NativeOutput(Place))
    result = await agent.run(question["prompt"], model_settings=SETTINGS)
    return {"city": result.output.city}


async def cancel(question):
    """Cancels the task that reads: whoever leaves the block of run_stream waits there for the rest of the answer."""
    begun = asyncio.Event()

    async def read():
        async with agent_with(question["model"]).run_stream(question["prompt"]) as result:
            async for _ in result.stream_text(delta=True):
                begun.set()

    reader = asyncio.create_task(read())
    await begun.wait()
    reader.cancel()
    await asyncio.gather(reader, return_exceptions=True)
    return {}


ask.serve(
    chat=whole, reasoning=whole, usage=whole, error=whole, stream=stream, tools=tools, structured=structured, cancel=cancel
)
