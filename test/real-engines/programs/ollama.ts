/** Ollama: the program named by FERRY_TEST_OLLAMA, with `tiny` and a copy of it as models of its own folder. */
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RunningEngine } from '../real-engine.js';
import { freePort } from '../../support/network/free-port.js';
import { tinyFile } from './llama-server.js';
import { Program } from './program.js';

const START_MS = 60_000;

export interface RunningOllama extends RunningEngine {
  readonly program: Program;
  /** Makes a model of a GGUF file. */
  create(model: string, gguf: Buffer): Promise<void>;
}

export async function runOllama(command: string): Promise<RunningOllama> {
  const folder = await mkdtemp(path.join(tmpdir(), 'ferry-ollama-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const program = await Program.start({
    command,
    args: ['serve'],
    env: { HOME: folder, OLLAMA_MODELS: path.join(folder, 'models'), OLLAMA_HOST: `127.0.0.1:${port}` },
    readyAt: `${url}/api/version`,
    startMs: START_MS,
  });
  const ask = async (route: string, body: object | Buffer): Promise<void> => {
    const response = await fetch(`${url}${route}`, {
      method: 'POST',
      body: Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok || text.includes('"error"')) throw new Error(`${route}: ${response.status} ${text}`);
  };
  const create = async (model: string, gguf: Buffer): Promise<void> => {
    const digest = `sha256:${createHash('sha256').update(gguf).digest('hex')}`;
    await ask(`/api/blobs/${digest}`, gguf);
    await ask('/api/create', { model, files: { 'model.gguf': digest } });
  };
  const stop = async (): Promise<void> => {
    await program.stop();
    await rm(folder, { recursive: true, force: true });
  };
  // With Ollama's own defaults, as other programs load.
  const bringBack = (): Promise<void> => ask('/api/generate', { model: 'tiny', stream: false });
  try {
    const gguf = await readFile(tinyFile);
    await create('tiny', gguf);
    await create('quiet', renamed(gguf));
    await bringBack();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url,
    program,
    create,
    resident: 'tiny:latest',
    installed: 'quiet:latest',
    loaded: async () => {
      const { models } = (await (await fetch(`${url}/api/ps`)).json()) as { models: readonly { name: string }[] };
      return models.map(({ name }) => name);
    },
    evict: () => ask('/api/generate', { model: 'tiny', keep_alive: 0, stream: false }),
    bringBack,
    stop,
  };
}

/** Other bytes: Ollama has one runner for all models of the same file. */
function renamed(gguf: Buffer): Buffer {
  const other = Buffer.from(gguf);
  other.write('quiet-tiny', gguf.indexOf('ferry-tiny'));
  return other;
}
