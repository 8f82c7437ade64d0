"""Uses the OpenAI Agents SDK as its users do."""

# docs:begin
import os

from agents import Agent, OpenAIChatCompletionsModel, Runner, set_tracing_disabled
from openai import AsyncOpenAI

set_tracing_disabled(True)


def agent_with(model, **options):
    client = AsyncOpenAI(base_url=os.environ["FERRY_URL"] + "/v1", api_key=os.environ["FERRY_API_KEY"])
    return Agent(name="Assistant", model=OpenAIChatCompletionsModel(model=model, openai_client=client), **options)


# docs:end

from typing import Literal

from agents import ModelSettings, function_tool
from pydantic import BaseModel

import ask

SETTINGS = ModelSettings(temperature=0, max_tokens=200)


class Place(BaseModel):
    city: Literal["Oslo", "Paris"]


async def whole(question):
    result = await Runner.run(agent_with(question["model"], model_settings=SETTINGS), question["prompt"])
    usage = result.context_wrapper.usage
    thoughts = [item.raw_item.summary for item in result.new_items if item.type == "reasoning_item"]
    return {
        "text": result.final_output,
        "reasoning": "".join(part.text for summary in thoughts for part in summary),
        "usage": {"input": usage.input_tokens, "output": usage.output_tokens},
    }


def delta_of(event):
    if event.type == "raw_response_event" and event.data.type == "response.output_text.delta":
        return event.data.delta
    return ""


async def stream(question):
    result = Runner.run_streamed(agent_with(question["model"], model_settings=SETTINGS), question["prompt"])
    pieces = [delta async for event in result.stream_events() if (delta := delta_of(event))]
    return {"text": "".join(pieces), "pieces": len(pieces)}


async def tools(question):
    asked = []

    @function_tool
    def get_weather(city: str) -> str:
        """Get the weather for a city"""
        asked.append(city)
        return ask.TOOL_RESULT

    agent = agent_with(question["model"], tools=[get_weather], model_settings=SETTINGS)
    result = await Runner.run(agent, question["prompt"], max_turns=3)
    return {"asked": asked, "text": result.final_output}


async def structured(question):
    agent = agent_with(question["model"], output_type=Place, model_settings=SETTINGS)
    return {"city": (await Runner.run(agent, question["prompt"])).final_output.city}


async def cancel(question):
    result = Runner.run_streamed(agent_with(question["model"]), question["prompt"])
    async for event in result.stream_events():
        if delta_of(event):
            result.cancel()
    return {}


ask.serve(
    chat=whole, reasoning=whole, usage=whole, error=whole, stream=stream, tools=tools, structured=structured, cancel=cancel
)
