"""/v1/embeddings with the OpenAI client: an extension of the relay."""

from openai_client import sync_client


def vectors(question):
    client = sync_client(question)
    response = client.embeddings.create(model=question["model"], input=question["input"], **question.get("more", {}))
    return {
        "vectors": [item.embedding for item in response.data],
        "indexes": [item.index for item in response.data],
        "model": response.model,
        "usage": {"input": response.usage.prompt_tokens, "total": response.usage.total_tokens},
    }
