/** `transformers serve`: the program named by FERRY_TEST_TRANSFORMERS (`transformers`), on the processor. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { writeTinySafetensors } from '../../../scripts/tiny-safetensors.mjs';
import type { RunningEngine } from '../real-engine.js';
import { freePort } from '../../support/network/free-port.js';
import { Program } from './program.js';

const START_MS = 120_000;

export async function runTransformersServe(command: string): Promise<RunningEngine> {
  const folder = await mkdtemp(path.join(tmpdir(), 'ferry-transformers-'));
  const model = path.join(folder, 'tiny');
  writeTinySafetensors(model);
  const cache = path.join(folder, 'cache');
  await mkdir(path.join(cache, 'hub'), { recursive: true });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const program = await Program.start({
    command,
    args: ['serve', model, '--host', '127.0.0.1', '--port', String(port), '--device', 'cpu'],
    // A thread for each core waits for the others most of the time with so small a model.
    env: { HF_HOME: cache, HF_HUB_OFFLINE: '1', OMP_NUM_THREADS: '1' },
    readyAt: `${url}/v1/models`,
    startMs: START_MS,
  });
  return {
    url,
    program,
    resident: model,
    loaded: async () => {
      type List = { readonly data: readonly { readonly id: string; readonly status?: { readonly value: string } }[] };
      const { data } = (await (await fetch(`${url}/v1/models`)).json()) as List;
      return data.filter(({ status }) => status?.value === 'loaded').map(({ id }) => id);
    },
    stop: async () => {
      await program.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
