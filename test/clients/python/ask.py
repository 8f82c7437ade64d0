"""Answers the questions of the Jest spec: one line of JSON on stdin for each, one line of JSON on stdout."""

import asyncio
import inspect
import json
import os
import sys
import threading

WEATHER = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
TOOL_RESULT = "sunny, 21 degrees"


def failure(error):
    return {"type": type(error).__name__, "message": f"{error}{f': {error.__cause__}' if error.__cause__ else ''}"}


def answer(case, question, loop):
    result = case(question)
    return asyncio.run_coroutine_threadsafe(result, loop).result() if inspect.isawaitable(result) else result


def serve(**cases):
    """Each case is a function, or a coroutine function, of the question; the spec judges what it returns."""
    # Whatever a library prints must not be taken for an answer.
    answers, sys.stdout = os.fdopen(os.dup(1), "w"), sys.stderr
    # One for all: libraries keep a client, whose connections belong to the loop in which they were made.
    loop = asyncio.new_event_loop()
    # It also runs between two questions, as in a server: a generator that was left is closed by it, and with it the stream.
    threading.Thread(target=loop.run_forever, daemon=True).start()
    for line in sys.stdin:
        question = json.loads(line)
        try:
            result = {"ok": answer(cases[question["case"]], question, loop)}
        except Exception as error:
            result = {"error": failure(error)}
        answers.write(json.dumps(result) + "\n")
        answers.flush()
