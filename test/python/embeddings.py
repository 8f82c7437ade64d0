"""/v1/embeddings with the OpenAI client: an extension of the relay."""

from openai_client import sync_client


def vectors(question):
    more = question.get("more", {})
    # Without a format the client asks for base64, and validates the text as the list that it makes of it only afterwards.
    client = sync_client(question, strict="encoding_format" in more)
    response = client.embeddings.create(model=question["model"], input=question["input"], **more)
    return {
        "vectors": [item.embedding for item in response.data],
        "indexes": [item.index for item in response.data],
        "model": response.model,
        "usage": {"input": response.usage.prompt_tokens, "total": response.usage.total_tokens},
    }
