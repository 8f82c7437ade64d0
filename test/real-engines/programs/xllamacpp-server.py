#!/usr/bin/env python3
"""llama.cpp's own server from the Python package xllamacpp, with the arguments that the engine suite and Ollama give to llama-server.

One model only: router mode starts further processes of the llama-server program, which the package does not have.
"""

import argparse
import os
import signal

import xllamacpp


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("-m", "--model", dest="model", required=True)
    parser.add_argument("--alias", default="tiny")
    parser.add_argument("-t", dest="threads", type=int, default=1)
    parser.add_argument("-c", dest="context", type=int, default=4096)
    parser.add_argument("-np", dest="parallel", type=int, default=1)
    parser.add_argument("--sleep-idle-seconds", type=int, default=-1)
    parser.add_argument("--jinja", action="store_true")
    parser.add_argument("--no-jinja", action="store_true")
    parser.add_argument("--chat-template", default="")
    parser.add_argument("--context-shift", action="store_true")
    parser.add_argument("--embeddings", action="store_true")
    parser.add_argument("--pooling", choices=["none", "mean", "cls", "last", "rank"])
    # Ollama's others are about logs, graphics processors and batches.
    arguments, _ = parser.parse_known_args()

    params = xllamacpp.CommonParams()
    params.hostnames = [arguments.host]
    params.port = arguments.port
    params.model.path = arguments.model
    params.model_alias = {arguments.alias}
    params.n_ctx = arguments.context
    params.n_parallel = arguments.parallel
    params.cpuparams.n_threads = arguments.threads
    params.cpuparams_batch.n_threads = arguments.threads
    params.sleep_idle_seconds = arguments.sleep_idle_seconds
    params.use_jinja = not arguments.no_jinja
    params.chat_template = arguments.chat_template
    params.ctx_shift = arguments.context_shift
    params.endpoint_metrics = True
    params.embedding = arguments.embeddings
    if arguments.pooling is not None:
        params.pooling_type = getattr(xllamacpp.llama_pooling_type, "LLAMA_POOLING_TYPE_" + arguments.pooling.upper())
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    signal.sigwait({signal.SIGTERM, signal.SIGINT})
    # At once: the server's own end waits for running requests.
    os._exit(0)


if __name__ == "__main__":
    main()
