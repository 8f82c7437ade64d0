/** The shared engine suite with the built-in engine and real models, installed from a local model hub. */
import { createReadStream } from 'node:fs';
import { copyFile, mkdtemp, open, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { jest } from '@jest/globals';
import { createLlamacppEngine } from '../../src/agent/engines/llamacpp/llamacpp-engine.js';
import { systemClock } from '../../src/kernel/clock.js';
import { Loopback } from '../support/network/loopback.js';
import { enginePackageDirectory, tinyFile } from '../support/engine/tiny-engine.js';
import { behavesAsAnEngine } from './engine-behaviour.js';
import type { EngineUnderTest } from './engine-under-test.js';

jest.setTimeout(60_000);

/** Serves one complete model, and one whose download never completes. */
function hub(request: IncomingMessage, response: ServerResponse): void {
  if (request.url === '/ferry/tiny/resolve/main/new.gguf') createReadStream(tinyFile).pipe(response);
  else if (request.url === '/ferry/tiny/resolve/main/slow.gguf') void sendHead(response);
  else response.writeHead(404).end();
}

async function sendHead(response: ServerResponse): Promise<void> {
  const file = await open(tinyFile);
  const { buffer } = await file.read(Buffer.alloc(10_000), 0, 10_000, 0);
  await file.close();
  response.writeHead(200, { 'content-length': 1_000_000 }).write(buffer);
}

async function begin({ pollMs }: { readonly pollMs: number }): Promise<EngineUnderTest> {
  const modelsDirectory = await mkdtemp(path.join(os.tmpdir(), 'ferry-built-in-'));
  const resident = path.join(modelsDirectory, 'resident.gguf');
  await copyFile(tinyFile, resident);
  await copyFile(tinyFile, path.join(modelsDirectory, 'other.gguf'));
  const server = await Loopback.start(hub);
  const engine = createLlamacppEngine({
    enginePackageDirectory,
    modelsDirectory,
    load: ['resident'],
    slots: 1,
    contextTokens: 1_024,
    rescanMs: pollMs,
    env: { HF_ENDPOINT: server.url },
    clock: systemClock,
  });
  return {
    engine,
    resident: 'resident',
    installed: 'other',
    // The engine never unloads a model by itself, but its owner can.
    evict: () => rm(resident),
    quit: () => engine.stop(),
    stop: async () => {
      await engine.stop();
      await server.close();
      await rm(modelsDirectory, { recursive: true });
    },
  };
}

behavesAsAnEngine('the built-in engine', {
  kind: 'llamacpp',
  begin,
  evicts: true,
  loads: true,
  install: {
    source: 'hf:ferry/tiny/new.gguf',
    model: 'new',
    countsBytes: true,
    slowSource: 'hf:ferry/tiny/slow.gguf',
    unknown: { source: 'hf:ferry/tiny/none.gguf', code: 'unknown_model' },
  },
  removes: true,
});
