/** llama-swap: the program named by FERRY_TEST_LLAMA_SWAP, in front of two llama-servers of which it runs one at a time. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RunningEngine } from '../real-engine.js';
import { freePort } from '../../support/network/free-port.js';
import { llamaServerArguments, tinyFile } from './llama-server.js';
import { Program } from './program.js';

const START_MS = 20_000;

/** @param llamaServer the program of the real llama-server */
export async function runLlamaSwap(command: string, llamaServer: string): Promise<RunningEngine> {
  const folder = await mkdtemp(path.join(tmpdir(), 'ferry-llama-swap-'));
  const config = path.join(folder, 'config.yaml');
  const entry = (name: string): object => ({
    cmd: [
      llamaServer,
      '--host 127.0.0.1 --port ${PORT}',
      ...llamaServerArguments,
      '-m',
      tinyFile,
      '--alias',
      name,
    ].join(' '),
    proxy: 'http://127.0.0.1:${PORT}',
  });
  const [firstPort, port] = [await freePort(), await freePort()];
  // JSON is YAML.
  const models = { 'tiny-a': entry('tiny-a'), 'tiny-b': entry('tiny-b') };
  await writeFile(config, JSON.stringify({ healthCheckTimeout: 60, startPort: firstPort, models }));
  const url = `http://127.0.0.1:${port}`;
  const program = await Program.start({
    command,
    args: ['--config', config, '--listen', `127.0.0.1:${port}`],
    readyAt: `${url}/health`,
    startMs: START_MS,
  });
  const bringBack = async (): Promise<void> => {
    const response = await fetch(`${url}/upstream/tiny-a/health`);
    if (!response.ok) throw new Error(`it does not start: ${response.status} ${await response.text()}`);
  };
  await bringBack();
  return {
    url,
    program,
    resident: 'tiny-a',
    installed: 'tiny-b',
    loaded: async () => {
      type Running = { readonly running: readonly { readonly model: string; readonly state: string }[] };
      const { running } = (await (await fetch(`${url}/running`)).json()) as Running;
      return running.filter(({ state }) => state === 'ready').map(({ model }) => model);
    },
    evict: async () => {
      await fetch(`${url}/api/models/unload/tiny-a`, { method: 'POST' });
    },
    bringBack,
    stop: async () => {
      await program.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
