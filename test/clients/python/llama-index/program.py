"""Uses the embeddings of LlamaIndex as its users do."""

# docs:begin
import os

from llama_index.embeddings.openai_like import OpenAILikeEmbedding


def embedding_model(model, **options):
    return OpenAILikeEmbedding(
        model_name=model,
        api_base=os.environ["FERRY_URL"] + "/v1",
        api_key=os.environ["FERRY_API_KEY"],
        **options,
    )


# docs:end

import ask

TEXTS = ["a", "b"]


def embeddings(question):
    whole, short = (
        embedding_model(question["model"], max_retries=0, **options).get_text_embedding_batch(TEXTS)
        for options in ({}, {"dimensions": 2})
    )
    return {"vectors": whole, "shortened": short}


ask.serve(embeddings=embeddings)
