/**
 * Engines that are stopped, killed in the middle of a stream, restarted, or still load their model
 * (docs/reference/inventory.md#loaded-means-resident).
 */
import { afterEach, describe, expect, it } from '@jest/globals';
import { LlamaServerSingle } from '../engines/fakes/llama-server.js';
import { eventsOf } from '../support/client/event-stream.js';
import { eventually } from '../support/clock/eventually.js';
import { FakeEngine } from '../support/engine/fake-engine.js';
import { ferryHere } from '../support/process/ferry-here.js';
import { shareRelay } from '../support/process/shared-deployment.js';
import type { Tenant } from '../support/process/tenant.js';
import { inventoryOf, TestNode, type NodeOptions } from '../support/process/test-node.js';

/** A restarted engine serves within this time, without any request. */
const BACK_WITHIN_MS = 5_000;
/** Too long for a poll within a test: changes must be noticed without polling. */
const RARELY_MS = 600_000;

interface NodeRecord {
  readonly online: boolean;
  readonly problem: string | null;
  readonly problem_since: number | null;
  readonly memory: { readonly total_bytes: number; readonly free_bytes: number } | null;
  readonly engines: readonly { readonly name: string; readonly problem: string | null }[];
  readonly models: readonly { readonly key: string; readonly state: string; readonly reason: string | null }[];
}

let relay: Tenant;
let engine: FakeEngine;
let url: string;
let node: TestNode;

shareRelay((shared) => (relay = shared));

const begin = async (options: (port: string) => NodeOptions): Promise<void> => {
  engine = await FakeEngine.start();
  ({ url } = engine);
  node = await TestNode.start(relay, options(new URL(url).port));
};
const restartEngine = async (): Promise<void> => {
  engine = await FakeEngine.start({ port: Number(new URL(url).port) });
};
afterEach(async () => {
  await node.stop();
  await relay.manage('DELETE', `/nodes/${await node.id()}`);
}, 30_000);

const record = async (): Promise<NodeRecord> => {
  const { data } = await relay.manage<{ data: readonly (NodeRecord & { node_id: string })[] }>('GET', '/nodes');
  const id = await node.id();
  const own = data.find(({ node_id }) => node_id === id);
  if (own === undefined) throw new Error('the node is not in the list');
  return own;
};
const isLoaded = async (model: string): Promise<boolean | undefined> =>
  (await inventoryOf(relay)).find(({ id }) => id === model)?.loaded;
const ask = (model: string, more: object = {}): Promise<Response> =>
  relay.chat({ model, messages: [{ role: 'user', content: 'Hello' }], ...more });
const refusal = async (model: string): Promise<unknown[]> => {
  const response = await ask(model);
  return [response.status, await response.text(), response.headers.get('x-ferry-reason')];
};

const UNREACHABLE = [503, 'no node for user', 'engine_unreachable'];

/** Resolves in the middle of an endless response. */
const killWhileStreaming = async (): Promise<void> => {
  engine.respond = (call) => {
    call.startStream();
    call.chunk({ content: 'Hello' });
  };
  const events = eventsOf(await ask('fake', { stream: true }));
  let next = await events.next();
  await engine.stop();
  while (next.done !== true) next = await events.next();
};

describe.each<[string, (port: string) => NodeOptions]>([
  [
    'that is configured',
    (port) => ({
      engines: [{ kind: 'openai-compatible', base_url: `http://127.0.0.1:${port}`, poll_ms: RARELY_MS }],
    }),
  ],
  [
    'that was discovered',
    (port) => ({
      engines: [],
      env: { FERRY_DISCOVERY: 'on', FERRY_DISCOVERY_PORTS: port, FERRY_DISCOVERY_INTERVAL_MS: '600000' },
    }),
  ],
])('an engine %s', (_how, options) => {
  it('an engine that is killed during a stream keeps its model listed as not loaded with the reason, and serves again after a restart', async () => {
    await begin(options);
    await killWhileStreaming();
    await eventually('its model is not loaded', async () => (await isLoaded('fake')) === false, BACK_WITHIN_MS);
    expect(await refusal('fake')).toEqual(UNREACHABLE);
    const node = await eventually('the node has the problem', async () => {
      const now = await record();
      return now.problem === null ? undefined : now;
    });
    expect(node).toMatchObject({
      online: true,
      problem: expect.stringContaining('cannot be reached'),
      problem_since: expect.any(Number),
      memory: { total_bytes: expect.any(Number), free_bytes: expect.any(Number) },
      engines: [{ problem: 'cannot be reached', problem_since: expect.any(Number) }],
      models: [{ state: 'installed', reason: 'engine_unreachable' }],
    });
    await restartEngine();
    await eventually('it serves without a request', async () => isLoaded('fake'), BACK_WITHIN_MS);
    expect((await ask('fake')).status).toBe(200);
    await eventually('the problem is gone', async () => (await record()).problem === null);
    await engine.stop();
  }, 60_000);

  it('an engine that is stopped while the node is restarted is still listed', async () => {
    await begin(options);
    await engine.stop();
    await eventually('its model is not loaded', async () => (await isLoaded('fake')) === false);
    await node.process.stop();
    await node.run();
    expect(await isLoaded('fake')).toBe(false);
    expect(await refusal('fake')).toEqual(UNREACHABLE);
    await restartEngine();
    await eventually('it serves', async () => isLoaded('fake'), BACK_WITHIN_MS);
    await engine.stop();
  }, 60_000);

  it('a stopped engine is shown by the command line', async () => {
    await begin(options);
    await engine.stop();
    await eventually('the node has the problem', async () => (await record()).problem !== null);
    const run = async (...words: string[]): Promise<string> =>
      (await ferryHere(words, { ...node.env, FERRY_BASE_URL: relay.baseUrl, FERRY_TOKEN: relay.credentials.cli_token }))
        .stdout;
    expect(await run('nodes')).toContain('cannot be reached');
    expect(await run('nodes', 'show', await node.id())).toContain('installed (engine unreachable)');
    expect(await run('models')).toContain('installed (engine unreachable)');
    expect(await run('node', 'status')).toContain('fake (installed, engine unreachable)');
    expect(await run('node', 'doctor')).toMatch(/(does not answer|cannot be reached)/);
  }, 60_000);
});

it('a llama-server that responds with 503 while it loads is listed as loading, and serves when it has loaded', async () => {
  const single = await LlamaServerSingle.start();
  single.listsWhileLoading = false;
  node = await TestNode.start(relay, {
    engines: [{ kind: 'llama-server', base_url: single.server.url, poll_ms: 2_000 }],
  });
  await eventually('it is loaded', async () => isLoaded('tiny'));
  single.condition = 'loading';
  const loading = await eventually('it is loading', async () => {
    const now = await record();
    return now.models[0]?.state === 'loading' ? now : undefined;
  });
  expect(loading.models).toMatchObject([{ state: 'loading', reason: null }]);
  expect(await refusal('tiny')).toEqual([503, 'no node for user', 'model_loading']);
  single.condition = 'ready';
  await eventually('it serves', async () => isLoaded('tiny'), BACK_WITHIN_MS);
  expect((await ask('tiny')).status).toBe(200);
  await single.server.stop();
}, 60_000);
