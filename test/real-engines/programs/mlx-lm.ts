/** mlx-lm's server: the program named by FERRY_TEST_MLX_LM (`mlx_lm.server`), on the processor. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { writeTinySafetensors } from '../../../scripts/tiny-safetensors.mjs';
import type { RunningEngine } from '../real-engine.js';
import { freePort } from '../../support/network/free-port.js';
import { Program } from './program.js';

const START_MS = 60_000;

export async function runMlxLm(command: string): Promise<RunningEngine> {
  const folder = await mkdtemp(path.join(tmpdir(), 'ferry-mlx-lm-'));
  const model = path.join(folder, 'tiny');
  writeTinySafetensors(model);
  // Without the models in the cache of this computer's user. With no cache at all it answers its list with 200 and nothing.
  const cache = path.join(folder, 'cache');
  await mkdir(path.join(cache, 'hub'), { recursive: true });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const program = await Program.start({
    command,
    args: ['--model', model, '--host', '127.0.0.1', '--port', String(port)],
    env: { HF_HOME: cache, HF_HUB_OFFLINE: '1' },
    readyAt: `${url}/v1/models`,
    startMs: START_MS,
  });
  return {
    url,
    program,
    resident: model,
    // It has what `--model` names, and lists the cache beside it, which is empty here.
    loaded: async () => {
      const { data } = (await (await fetch(`${url}/v1/models`)).json()) as { data: readonly { id: string }[] };
      return data.map(({ id }) => id);
    },
    stop: async () => {
      await program.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
