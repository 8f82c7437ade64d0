/**
 * Open WebUI's own server in front of Ferry: chat, and a document that it cuts into pieces and has embedded. `FERRY_TEST_OPEN_WEBUI` names its
 * program, whose packages take 5 GB.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/clock/eventually.js';
import { type FakeCall, FakeEngine } from '../support/engine/fake-engine.js';
import { writeTinyEmbedder } from '../support/engine/tiny-embedder.js';
import { freePort } from '../support/network/free-port.js';
import { FerryProcess } from '../support/process/ferry-process.js';
import { shareRelay } from '../support/process/shared-deployment.js';
import type { Tenant } from '../support/process/tenant.js';
import { inventoryOf, TestNode } from '../support/process/test-node.js';

/** It loads some thousand modules and makes its database. */
const START_MS = 300_000;
const TEST_WITHIN_MS = 120_000;
const DOCUMENT = [
  'The lighthouse of Kvalsund was painted green in 1911.',
  'Its keeper counted forty-one ships on the first morning.',
].join('\n\n');

let relay: Tenant;
let engine: FakeEngine;
let node: TestNode;
let directory: string;
let program: FerryProcess | undefined;
let address: string;
let session: string;

/** @throws with the body of a response that is no success */
async function ask<T>(method: 'GET' | 'POST', route: string, body?: FormData | object): Promise<T> {
  const form = body instanceof FormData;
  const response = await fetch(`${address}/api${route}`, {
    method,
    headers: { authorization: `Bearer ${session}`, ...(!form && { 'content-type': 'application/json' }) },
    body: form ? body : body === undefined ? null : JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${route}: ${response.status} ${text}`);
  return JSON.parse(text) as T;
}

shareRelay(async (shared) => {
  relay = shared;
  directory = await mkdtemp(path.join(tmpdir(), 'ferry-open-webui-'));
  const models = path.join(directory, 'models');
  await mkdir(models);
  await writeTinyEmbedder(path.join(models, 'embedder.gguf'));
  engine = await FakeEngine.start();
  node = await TestNode.start(relay, {
    engines: [
      { kind: 'llamacpp', models_directory: models, load: ['embedder'] },
      { kind: 'openai-compatible', base_url: engine.url, slots: 4 },
    ],
  });
  await eventually('both models are loaded', async () => {
    const inventory = await inventoryOf(relay);
    return ['embedder', 'fake'].every((name) => inventory.some((model) => model.display_name === name && model.loaded));
  });
});

beforeAll(async () => {
  const words = ['serve', '--host', '127.0.0.1', '--port', String(await freePort())];
  address = `http://127.0.0.1:${words.at(-1)}`;
  program = FerryProcess.startProgram(process.env['FERRY_TEST_OPEN_WEBUI'] ?? 'open-webui', words, directory, {
    DATA_DIR: directory,
    WEBUI_SECRET_KEY: 'of a test',
    // It must not ask any registry for models.
    OFFLINE_MODE: 'true',
    ENABLE_OLLAMA_API: 'false',
    // As the guide says.
    OPENAI_API_BASE_URL: `${relay.baseUrl}/v1`,
    OPENAI_API_KEY: relay.apiKey,
    RAG_EMBEDDING_ENGINE: 'openai',
    RAG_EMBEDDING_MODEL: 'embedder',
    RAG_OPENAI_API_BASE_URL: `${relay.baseUrl}/v1`,
    RAG_OPENAI_API_KEY: relay.apiKey,
  });
  await eventually(
    'it answers',
    async () => {
      if (program?.running === false) throw new Error(`it ended: ${program.ending}`);
      return (await fetch(`${address}/health`)).ok;
    },
    START_MS,
  );
  const owner = { name: 'Owner', email: 'owner@example.com', password: 'correct horse battery' };
  session = (await ask<{ token: string }>('POST', '/v1/auths/signup', owner)).token;
}, START_MS);

afterAll(async () => {
  program?.child.kill('SIGKILL');
  await program?.exited;
  await node.stop();
  await engine.stop();
  await rm(directory, { recursive: true, force: true });
}, 60_000);

const upload = async (): Promise<string> => {
  const form = new FormData();
  form.append('file', new Blob([DOCUMENT], { type: 'text/plain' }), 'lighthouse.txt');
  return (await ask<{ id: string }>('POST', '/v1/files/?process=true&process_in_background=false', form)).id;
};

const saysGreen = (call: FakeCall): Promise<void> => {
  call.completion('It was green.');
  return Promise.resolve();
};

const question = {
  model: 'fake',
  stream: false,
  messages: [{ role: 'user', content: 'Which colour had the lighthouse of Kvalsund?' }],
};

describe('Open WebUI', () => {
  it(
    'lists the models that are loaded, and gets an answer',
    async () => {
      const { data } = await ask<{ data: readonly { id: string }[] }>('GET', '/models');
      expect(data.map(({ id }) => id)).toEqual(expect.arrayContaining(['fake', 'embedder']));
      engine.respond = saysGreen;
      const { choices } = await ask<{ choices: readonly unknown[] }>('POST', '/chat/completions', question);
      expect(choices).toMatchObject([{ message: { content: 'It was green.' } }]);
    },
    TEST_WITHIN_MS,
  );

  it(
    'says that a document failed while the extension is off',
    async () => {
      const { data } = await ask<{ data: { status: string; error?: string } }>('GET', `/v1/files/${await upload()}`);
      expect(data).toMatchObject({ status: 'failed' });
    },
    TEST_WITHIN_MS,
  );

  it(
    'has an uploaded document embedded, and answers with what it says',
    async () => {
      await relay.manage('PATCH', '/extensions/embeddings', { enabled: true });
      const id = await upload();
      expect(await ask('GET', `/v1/files/${id}`)).toMatchObject({ data: { status: 'completed' } });
      engine.respond = saysGreen;
      await ask('POST', '/chat/completions', { ...question, files: [{ type: 'file', id }] });
      expect(JSON.stringify(engine.calls.at(-1)?.body)).toContain('was painted green in 1911');
      const { data } = await relay.manage<{ data: readonly { dialect: string; status: string }[] }>('GET', '/requests');
      const embeddings = data.filter(({ dialect }) => dialect === 'embeddings');
      expect(embeddings.length).toBeGreaterThanOrEqual(2);
    },
    TEST_WITHIN_MS,
  );
});
