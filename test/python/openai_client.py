"""The client as a program would make it, but with answers that must be as the SDK's types say, and without retries."""

import os
from functools import lru_cache

from openai import AsyncOpenAI, OpenAI


def options(question, strict=True):
    return {
        "base_url": os.environ["FERRY_URL"] + "/v1",
        "api_key": question.get("key", os.environ["FERRY_API_KEY"]),
        "max_retries": 0,
        "_strict_response_validation": strict,
    }


@lru_cache
def kept_client(kind, options):
    """One for all questions, as programs have: a new one takes longer than an answer."""
    return kind(**dict(options))


def sync_client(question, strict=True):
    return kept_client(OpenAI, tuple(options(question, strict).items()))


def async_client(question):
    return AsyncOpenAI(**options(question))


WEATHER = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}
