"""Extensions of the public API with both clients."""

import messages
import openai_client


def openai_model(question):
    return openai_client.sync_client(question).models.retrieve(question["model"]).model_dump()


def anthropic_model(question):
    # The model that the relay describes lacks members of Anthropic's own, which a lenient client does not ask for.
    return messages.sync_client(question).models.retrieve(question["model"]).model_dump(mode="json")


def count_message(question):
    counted = messages.sync_client(question).messages.count_tokens(
        model=question["model"], messages=[{"role": "user", "content": question["prompt"]}]
    )
    return {"input": counted.input_tokens}


def count_response(question):
    counted = openai_client.sync_client(question).responses.input_tokens.count(
        model=question["model"], input=question["prompt"]
    )
    return {"input": counted.input_tokens}
