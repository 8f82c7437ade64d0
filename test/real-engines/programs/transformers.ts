/** `transformers serve`: the program named by FERRY_TEST_TRANSFORMERS (`transformers`), on the processor. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { writeTinySafetensors } from '../../../scripts/tiny-safetensors.mjs';
import { freePort, Program } from './program.js';

const START_MS = 120_000;

export interface TransformersServe {
  readonly url: string;
  /** The model's name there: its folder. */
  readonly model: string;
  readonly stop: () => Promise<void>;
}

export async function runTransformersServe(command: string): Promise<TransformersServe> {
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
    env: { HF_HOME: cache, HF_HUB_OFFLINE: '1' },
    readyAt: `${url}/health`,
    startMs: START_MS,
  });
  return {
    url,
    model,
    stop: async () => {
      await program.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
