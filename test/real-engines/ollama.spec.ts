// Own engine: the program that FERRY_TEST_OLLAMA names.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Engine } from '../../src/agent/engines/engine.js';
import { ollamaKind } from '../../src/agent/engines/ollama/ollama-kind.js';
import { eventually } from '../support/clock/eventually.js';
import { createHttpEngine } from '../engines/create-http-engine.js';
import { ask, askDocument, collect, greeting, listWhen, Progress, stateIn } from '../engines/engine-questions.js';
import { writeTinyEmbedder } from '../support/engine/tiny-embedder.js';
import { runOllama } from './programs/ollama.js';
import { withProgram } from './programs/named-program.js';
import { servesThroughFerry } from './serves-through-ferry.js';

const TWIN = 'twin:latest';
const EMBEDDER = 'embedder:latest';
const A_YEAR_MS = 365 * 86_400_000;

/** Ollama knows no `logit_bias`. */
const manyNumbers = {
  response_format: {
    type: 'json_schema',
    json_schema: { name: 'numbers', schema: { type: 'array', items: { enum: ['and then'] }, minItems: 1_500 } },
  },
};

withProgram('FERRY_TEST_OLLAMA', 'Ollama', (command) => {
  servesThroughFerry({
    name: 'Ollama',
    kind: 'ollama',
    lacks: { requiredTool: { dropped: 'tool_choice' } },
    longAnswer: manyNumbers,
    begin: () => runOllama(command),
  });

  describe('the runner of Ollama', () => {
    let ollama: Awaited<ReturnType<typeof runOllama>>;
    let engine: Engine;
    beforeAll(async () => {
      ollama = await runOllama(command);
      engine = await createHttpEngine(ollamaKind, { base_url: ollama.url });
      await engine.start();
      await listWhen(engine, (models) => stateIn(models, ollama.resident) === 'loaded');
    }, 120_000);
    afterAll(async () => {
      await engine.stop();
      await ollama.stop();
    }, 60_000);

    const hello = async (): Promise<void> => {
      expect((await collect(await ask(engine, ollama.resident, greeting, { stream: true }))).finishReason).toBe('stop');
    };
    const expiresInMs = async (): Promise<number> => {
      type Resident = { readonly models: readonly { readonly name: string; readonly expires_at: string }[] };
      const { models } = (await (await fetch(`${ollama.url}/api/ps`)).json()) as Resident;
      return Date.parse(models.find(({ name }) => name === ollama.resident)?.expires_at ?? '') - Date.now();
    };

    it('the runner of Ollama of another program is used as it is, by turns with that program', async () => {
      const before = ollama.program.children();
      const body = JSON.stringify({ model: ollama.resident, messages: greeting.messages, stream: false });
      for (let turn = 0; turn < 5; turn += 1) {
        await hello();
        expect((await fetch(`${ollama.url}/api/chat`, { method: 'POST', body })).status).toBe(200);
      }
      expect(ollama.program.children()).toEqual(before);
      expect(before).toHaveLength(1);
    });

    it('the runner of Ollama that Ferry has loaded is not loaded again by 100 requests, and stays', async () => {
      await engine.management.unload?.(ollama.resident, new Progress().context);
      expect(await ollama.loaded()).toEqual([]);
      await engine.management.load?.(ollama.resident, {}, new Progress().context);
      const before = ollama.program.children();
      for (let request = 0; request < 100; request += 1) await hello();
      expect(ollama.program.children()).toEqual(before);
      expect(await expiresInMs()).toBeGreaterThan(A_YEAR_MS);
    }, 60_000);

    it('serves every name of the same weights', async () => {
      // A manifest, and so a digest, of its own.
      const body = JSON.stringify({ model: TWIN, from: ollama.resident, parameters: { top_k: 7 }, stream: false });
      expect((await fetch(`${ollama.url}/api/create`, { method: 'POST', body })).status).toBe(200);
      await listWhen(engine, (models) => stateIn(models, TWIN) === 'loaded');
      const before = ollama.program.children();
      expect((await collect(await ask(engine, TWIN, greeting, { stream: true }))).finishReason).toBe('stop');
      expect(ollama.program.children()).toEqual(before);
    });

    it('the runner of Ollama that died in an answer is not started again by a request, but by a load', async () => {
      const response = await ask(
        engine,
        ollama.resident,
        { ...greeting, ...manyNumbers, max_tokens: 3_000 },
        { stream: true },
      );
      const cut = expect(collect(response)).rejects.toMatchObject({ failure: { code: 'engine_error' } });
      for (const pid of ollama.program.children()) process.kill(pid, 'SIGKILL');
      await cut;
      await listWhen(engine, (models) => stateIn(models, ollama.resident) === 'installed');
      expect(await ollama.loaded()).not.toEqual([]);
      await expect(hello()).rejects.toMatchObject({ failure: { code: 'engine_error', status: 503 } });
      expect(ollama.program.children()).toEqual([]);
      await engine.management.load?.(ollama.resident, {}, new Progress().context);
      await hello();
    }, 60_000);

    it('the runner of Ollama that hangs with its Ollama ends the requests, and is there again when it goes on', async () => {
      ollama.program.hang();
      try {
        await expect(hello()).rejects.toMatchObject({ failure: { code: 'engine_error', status: 503 } });
        await eventually('it is not there', () => engine.condition.is === 'unreachable');
      } finally {
        ollama.program.goOn();
      }
      await listWhen(engine, (models) => stateIn(models, ollama.resident) === 'loaded');
      await hello();
    }, 60_000);
  });

  describe('a model of Ollama that embeds', () => {
    let ollama: Awaited<ReturnType<typeof runOllama>>;
    let engine: Engine;
    let directory: string;
    beforeAll(async () => {
      directory = await mkdtemp(path.join(tmpdir(), 'ferry-ollama-embeds-'));
      ollama = await runOllama(command);
      const file = path.join(directory, 'embedder.gguf');
      await writeTinyEmbedder(file);
      await ollama.create('embedder', await readFile(file));
      engine = await createHttpEngine(ollamaKind, { base_url: ollama.url });
      await engine.start();
      await listWhen(engine, (models) => stateIn(models, EMBEDDER) === 'installed');
      await engine.management.load?.(EMBEDDER, {}, new Progress().context);
      await listWhen(engine, (models) => stateIn(models, EMBEDDER) === 'loaded');
    }, 120_000);
    afterAll(async () => {
      await engine.stop();
      await ollama.stop();
      await rm(directory, { recursive: true });
    }, 60_000);

    const texts = ['Hello', 'Count to 8', 'Hello'];
    const embed = async (body: object): Promise<string> => askDocument(engine, EMBEDDER, 'embeddings', body);

    it('is reported for embeddings only', async () => {
      const report = (await listWhen(engine, () => true)).find(({ engine_model: model }) => model === EMBEDDER);
      expect(report).toMatchObject({ dialects: [], extension_routes: ['embeddings'], embedding: true });
    });

    it('gives its vectors digit for digit, without another load', async () => {
      const before = ollama.program.children();
      const body = JSON.stringify({ model: EMBEDDER, input: texts, truncate: false });
      const own = await (await fetch(`${ollama.url}/api/embed`, { method: 'POST', body })).text();
      const [, vectors = 'none'] = /"embeddings":\[(.*?\])\]/.exec(own) ?? [];
      const response = await embed({ input: texts });
      const digits = [...response.matchAll(/"embedding":(\[[^\]]*\])/g)].map(([, vector]) => vector);
      expect(digits.join(',')).toBe(vectors);
      expect(digits).toHaveLength(texts.length);
      expect(ollama.program.children()).toEqual(before);
    });

    it('refuses a text that is longer than its context', async () => {
      await expect(embed({ input: 'word '.repeat(4_000) })).rejects.toMatchObject({
        failure: { code: 'engine_rejected_request', status: 400, context_overflow: {} },
      });
    });
  });
});
