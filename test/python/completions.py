"""/v1/completions with the OpenAI client."""

from openai_client import sync_client


def request(question):
    return {"model": question["model"], "prompt": question["prompt"], "temperature": 0, "max_tokens": 20}


def whole(question):
    completion = sync_client(question).completions.create(**request(question))
    usage = completion.usage
    return {
        "text": completion.choices[0].text,
        "finish": completion.choices[0].finish_reason,
        "usage": {"input": usage.prompt_tokens, "output": usage.completion_tokens},
    }


def stream(question):
    pieces, finish, usage = [], None, None
    # The SDK's type of a chunk has no null for a finish reason, which the protocol sends until the last one.
    client = sync_client(question, strict=False)
    chunks = client.completions.create(
        **request(question), stream=True, stream_options={"include_usage": True}
    )
    for chunk in chunks:
        if chunk.usage:
            usage = {"input": chunk.usage.prompt_tokens, "output": chunk.usage.completion_tokens}
        for choice in chunk.choices:
            if choice.text:
                pieces.append(choice.text)
            finish = choice.finish_reason or finish
    return {"text": "".join(pieces), "pieces": len(pieces), "finish": finish, "usage": usage}
