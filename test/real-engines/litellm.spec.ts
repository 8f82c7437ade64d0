/** The program that FERRY_TEST_LITELLM names (`litellm`, of the Python package `litellm[proxy]`). Reported as skipped without one. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { identify } from '../../src/agent/engines/discovery/identify.js';
import { PlaceProbe } from '../../src/agent/engines/discovery/place-probe.js';
import { openAiCompatibleKind } from '../../src/agent/engines/openai-compatible/openai-compatible-engine.js';
import { eventually } from '../support/clock/eventually.js';
import { createHttpEngine } from './create-http-engine.js';
import { ask, collect, greeting, listWhen, stateIn } from './engine-questions.js';
import { answerChat } from './fakes/chat-answers.js';
import { FakeServer } from './fakes/fake-server.js';

const START_MS = 120_000;
const ROUNDS = 20;
const program = process.env['FERRY_TEST_LITELLM'] ?? '';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

(program === '' ? describe.skip : describe)('the proxy of LiteLLM (FERRY_TEST_LITELLM)', () => {
  let provider: FakeServer;
  let proxy: ChildProcess;
  let folder: string;
  let url: string;

  beforeAll(async () => {
    provider = await FakeServer.start((request) => request.json(404, {}));
    provider.on('POST /v1/chat/completions', (request) => answerChat(request));
    folder = await mkdtemp(path.join(tmpdir(), 'ferry-litellm-'));
    const config = path.join(folder, 'config.yaml');
    const model = (name: string): string =>
      `  - model_name: ${name}\n    litellm_params: { model: openai/x, api_base: "${provider.url}/v1", api_key: none }\n`;
    await writeFile(config, `model_list:\n${model('hub/one')}${model('hub/two')}`);
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    const args = ['--config', config, '--host', '127.0.0.1', '--port', String(port), '--telemetry', 'False'];
    // It refuses to start without a key of its own, and discovery looks at servers without one only.
    const env = { ...process.env, LITELLM_DANGEROUSLY_PERMIT_WEAK_OR_UNSET_MASTER_KEY: 'true' };
    proxy = spawn(program, args, { stdio: 'ignore', cwd: folder, env });
    await eventually('the proxy answers', async () => (await fetch(`${url}/v1/models`)).ok, START_MS);
  }, START_MS);

  afterAll(async () => {
    if (proxy.exitCode === null && proxy.signalCode === null) {
      const exited = once(proxy, 'exit');
      proxy.kill('SIGKILL');
      await exited;
    }
    await provider.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it(
    'calls no model because it is found and watched, and one for a request',
    async () => {
      const probe = new PlaceProbe('ferry-node/test');
      const found = () => identify((at) => probe.get(new URL(url), at));
      // It computes for seconds after its start.
      await eventually('it is found', async () => (await found()).seen === 'engine', START_MS);
      for (let round = 0; round < ROUNDS; round += 1) {
        expect(await found()).toMatchObject({ seen: 'engine', kind: 'openai-compatible', models: 2 });
      }
      await probe.close();
      const engine = await createHttpEngine(openAiCompatibleKind, {
        base_url: url,
        poll_ms: 100,
        only_models: ['hub/*'],
        max_models: 1,
      });
      await engine.start();
      await listWhen(engine, (models) => models.length === 1 && stateIn(models, 'hub/one') === 'loaded');
      expect(provider.inferenceCalls()).toBe(0);
      expect((await collect(await ask(engine, 'hub/one', greeting, { stream: true }))).finishReason).toBe('stop');
      expect(provider.inferenceCalls()).toBe(1);
      await engine.stop();
      // What it would cost to ask for its health.
      await fetch(`${url}/health`);
      expect(provider.inferenceCalls()).toBeGreaterThanOrEqual(3);
    },
    START_MS,
  );
});
