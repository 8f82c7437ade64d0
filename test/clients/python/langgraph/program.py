"""Uses LangChain and LangGraph as their users do."""

# docs:begin
import os

from langchain_openai import ChatOpenAI, OpenAIEmbeddings


def chat_model(model, **options):
    return ChatOpenAI(
        model=model,
        base_url=os.environ["FERRY_URL"] + "/v1",
        api_key=os.environ["FERRY_API_KEY"],
        temperature=0,
        **options,
    )


def embedding_model(model, **options):
    return OpenAIEmbeddings(
        model=model,
        base_url=os.environ["FERRY_URL"] + "/v1",
        api_key=os.environ["FERRY_API_KEY"],
        check_embedding_ctx_length=False,
        **options,
    )


# docs:end

from typing import Literal

from langchain_core.messages import ToolMessage
from langchain_core.tools import tool
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition
from pydantic import BaseModel

import ask


class Place(BaseModel):
    city: Literal["Oslo", "Paris"]


async def whole(question):
    message = await chat_model(question["model"], max_tokens=200).ainvoke(question["prompt"])
    usage = message.usage_metadata
    return {"text": message.content, "usage": {"input": usage["input_tokens"], "output": usage["output_tokens"]}}


async def reasoning(question):
    model = chat_model(question["model"], max_tokens=200, use_responses_api=True, output_version="responses/v1")
    blocks = (await model.ainvoke(question["prompt"])).content
    thoughts = [block for block in blocks if block["type"] == "reasoning"]
    return {
        "reasoning": "".join(
            part["text"] for block in thoughts for part in [*block.get("summary", []), *(block.get("content") or [])]
        ),
        "text": "".join(block["text"] for block in blocks if block["type"] == "text"),
    }


async def stream(question):
    chunks = chat_model(question["model"], max_tokens=200).astream(question["prompt"])
    pieces = [chunk.content async for chunk in chunks if chunk.content]
    return {"text": "".join(pieces), "pieces": len(pieces)}


async def tools(question):
    @tool
    def get_weather(city: str) -> str:
        """Get the weather for a city"""
        return ask.TOOL_RESULT

    model = chat_model(question["model"], max_tokens=200).bind_tools([get_weather])

    async def call_model(state):
        return {"messages": [await model.ainvoke(state["messages"])]}

    graph = StateGraph(MessagesState)
    graph.add_node("model", call_model)
    graph.add_node("tools", ToolNode([get_weather]))
    graph.add_edge(START, "model")
    graph.add_conditional_edges("model", tools_condition, {"tools": "tools", END: END})
    graph.add_edge("tools", "model")
    state = await graph.compile().ainvoke({"messages": [("user", question["prompt"])]})
    messages = state["messages"]
    assert any(isinstance(message, ToolMessage) for message in messages), messages
    calls = [call for message in messages for call in getattr(message, "tool_calls", [])]
    return {"asked": [call["args"]["city"] for call in calls], "text": messages[-1].content}


async def structured(question):
    model = chat_model(question["model"], max_tokens=200).with_structured_output(Place, method="json_schema")
    return {"city": (await model.ainvoke(question["prompt"])).city}


async def cancel(question):
    chunks = chat_model(question["model"]).astream(question["prompt"])
    async for chunk in chunks:
        if chunk.content:
            break
    await chunks.aclose()
    return {}


async def embeddings(question):
    whole, short = [
        await embedding_model(question["model"], max_retries=0, **options).aembed_documents(["a", "b"])
        for options in ({}, {"dimensions": 2})
    ]
    return {"vectors": whole, "shortened": short}


ask.serve(
    embeddings=embeddings,
    chat=whole,
    reasoning=reasoning,
    usage=whole,
    error=whole,
    stream=stream,
    tools=tools,
    structured=structured,
    cancel=cancel,
)
