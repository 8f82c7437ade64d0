#!/usr/bin/env bash
# Measures the built-in engine on this computer's graphics processor, beside llama.cpp's own programs, within 8 minutes, and writes a table
# into bench/results. Needs Node, a build of Ferry and 10 GB of disk; downloads nothing. scripts/gpu-check/main.mjs lists the options.
set -eu
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
node=${NODE:-node}
command -v "$node" >/dev/null || { echo "error: no Node on the PATH; NODE=<file> names one" >&2; exit 1; }
# The bound of last resort; the program itself begins nothing that it cannot end.
exec timeout --signal=TERM --kill-after=10 "${GPU_CHECK_SECONDS:-480}" "$node" "$here/gpu-check/main.mjs" "$@"
