"""The official Python clients, asked by a Jest spec: one question as a line of JSON on stdin, one answer as a line of JSON on stdout.

A question names a case, as in {"case": "chat.stream", "model": "tiny", "prompt": "Hello"}; the answer is {"ok": {...}} or, when the client
raised, {"error": {"type": ..., "status": ..., "message": ...}}. The spec judges it.
"""

import json
import os
import sys

import chat
import completions
import embeddings
import extensions
import messages
import responses

ROUTES = {
    "chat": chat,
    "responses": responses,
    "messages": messages,
    "completions": completions,
    "extensions": extensions,
    "embeddings": embeddings,
}


def snippet(question):
    """Runs an example of the documentation as it is written, and returns what it prints."""
    import contextlib
    import io

    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(question["code"], "snippet", "exec"), {"__name__": "__main__"})
    return {"printed": printed.getvalue()}


def answer(question):
    name = question["case"]
    if name == "snippet":
        return snippet(question)
    route, case = name.split(".")
    return getattr(ROUTES[route], case)(question)


def failure(error):
    # A validation error says in its cause what is wrong.
    cause = f": {error.__cause__}" if error.__cause__ else ""
    return {
        "type": type(error).__name__,
        "status": getattr(error, "status_code", None),
        "code": getattr(error, "code", None),
        "message": f"{error}{cause}",
    }


def main():
    # Whatever a library prints must not be taken for an answer.
    answers, sys.stdout = os.fdopen(os.dup(1), "w"), sys.stderr
    for line in sys.stdin:
        try:
            result = {"ok": answer(json.loads(line))}
        except Exception as error:
            result = {"error": failure(error)}
        answers.write(json.dumps(result) + "\n")
        answers.flush()


main()
