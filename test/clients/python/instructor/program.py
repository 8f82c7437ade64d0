"""Uses Instructor as its users do."""

# docs:begin
import os

import instructor
from openai import OpenAI

client = instructor.from_openai(
    OpenAI(base_url=os.environ["FERRY_URL"] + "/v1", api_key=os.environ["FERRY_API_KEY"]),
    mode=instructor.Mode.JSON_SCHEMA,
)
# docs:end

from typing import Literal

from pydantic import BaseModel

import ask


class Place(BaseModel):
    city: Literal["Oslo", "Paris"]


def request(question):
    return {
        "model": question["model"],
        "messages": [{"role": "user", "content": question["prompt"]}],
        "temperature": 0,
        "max_tokens": 200,
        "max_retries": 1,
    }


def whole(question):
    """Without a type for the answer it is the plain client."""
    completion = client.chat.completions.create(**request(question), response_model=None)
    return {"text": completion.choices[0].message.content}


def usage(question):
    _, completion = client.chat.completions.create_with_completion(**request(question), response_model=Place)
    return {"usage": {"input": completion.usage.prompt_tokens, "output": completion.usage.completion_tokens}}


def structured(question):
    """Whole, and as it grows."""
    place = client.chat.completions.create(**request(question), response_model=Place)
    partial = list(client.chat.completions.create_partial(**request(question), response_model=Place))
    assert partial[-1].city == place.city, (partial, place)
    return {"city": place.city}


def stream(question):
    chunks = client.chat.completions.create(**request(question), response_model=None, stream=True)
    pieces = [chunk.choices[0].delta.content for chunk in chunks if chunk.choices[0].delta.content]
    return {"text": "".join(pieces), "pieces": len(pieces)}


def error(question):
    return structured(question)


def cancel(question):
    chunks = client.chat.completions.create(**request(question), response_model=None, stream=True)
    for chunk in chunks:
        if chunk.choices[0].delta.content:
            break
    chunks.close()
    return {}


ask.serve(chat=whole, usage=usage, structured=structured, error=error, cancel=cancel, stream=stream)
