/** vLLM: the program named by FERRY_TEST_VLLM (`vllm`), on the processor. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { writeTinySafetensors } from '../../../scripts/tiny-safetensors.mjs';
import type { RunningEngine } from '../real-engine.js';
import { freePort } from '../../support/network/free-port.js';
import { Program } from './program.js';

/** It imports 2,300 modules in each of three processes. */
export const VLLM_START_MS = 300_000;

export async function runVllm(command: string): Promise<RunningEngine> {
  const folder = await mkdtemp(path.join(tmpdir(), 'ferry-vllm-'));
  const model = path.join(folder, 'tiny');
  writeTinySafetensors(model);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const program = await Program.start({
    command,
    args: [
      ...['serve', model, '--served-model-name', 'tiny', '--host', '127.0.0.1', '--port', String(port)],
      ...['--max-model-len', '4096', '--dtype', 'float32', '--enforce-eager'],
      ...['--enable-auto-tool-choice', '--tool-call-parser', 'hermes'],
    ],
    // 1 GB for the key-value cache; without it vLLM takes most of the memory.
    // What Python compiles is kept: every process would compile it for a minute. Threads that wait for each other take seconds for a token on a
    // busy computer.
    env: {
      ...{ VLLM_CPU_KVCACHE_SPACE: '1', VLLM_CPU_OMP_THREADS_BIND: 'nobind', OMP_NUM_THREADS: '1' },
      ...{ HF_HUB_OFFLINE: '1', VLLM_NO_USAGE_STATS: '1', PYTHONDONTWRITEBYTECODE: '' },
    },
    readyAt: `${url}/health`,
    startMs: VLLM_START_MS,
  });
  return {
    url,
    program,
    resident: 'tiny',
    loaded: () => Promise.resolve(['tiny']),
    stop: async () => {
      await program.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
