/** Fills an account: computers online and offline, models, keys, users, requests of several kinds. */
import { eventually } from '../clock/eventually.js';
import { LlamaServerRouter } from '../../engines/fakes/llama-server.js';
import { FakeEngine } from '../engine/fake-engine.js';
import { TestNode } from '../process/test-node.js';
import type { RelayClient } from '../process/relay-client.js';
import { answerByScript, ENDLESS_QUESTION, REFUSED_QUESTION } from './scripted-answers.js';
import { startDevices } from './waiting-devices.js';

export interface Populated {
  /** Pages that exist only with data, by the names of their pictures. */
  readonly pages: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Longer than any column, and without a line break opportunity. */
const LONG_NAME = 'workstation-of-the-machine-learning-group-in-the-second-basement';

/** The port of a service that no computer runs any more. */
const NOWHERE = 'http://127.0.0.1:9';

const keyNames = ['codex', 'intranet chat', 'a key whose name is longer than most people would ever make it', 'old'];

export async function populate(relay: RelayClient): Promise<Populated> {
  const started: { stop(): Promise<void> }[] = [];
  const stop = async (): Promise<void> => {
    for (const part of started) await part.stop();
  };
  try {
    return { pages: await fill(relay, started), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** @param started resources to stop at the end, last first @returns pages that exist only with data */
async function fill(relay: RelayClient, started: { stop(): Promise<void> }[]): Promise<Populated['pages']> {
  const { cluster_id: lab } = await relay.manage<{ cluster_id: string }>('POST', '/clusters', { name: 'lab' });
  const engine = await FakeEngine.start();
  started.unshift(engine);
  const engines = [{ kind: 'openai-compatible' as const, base_url: engine.url }];
  const [studio, gone] = await Promise.all([
    TestNode.start(relay, { name: 'studio' }),
    TestNode.start(relay, { name: LONG_NAME, clusterId: lab, engines }),
  ]);
  started.unshift(studio);
  await gone.stop();
  for (const name of keyNames) await relay.manage('POST', '/keys', { name });
  await relay.manage('DELETE', '/keys/old');
  await relay.manage('POST', '/invites', { role: 'member' });
  const { data: models } = await relay.manage<{ data: readonly { selector: string; loaded: boolean }[] }>(
    'GET',
    '/models',
  );
  const model = models.find(({ loaded }) => loaded)?.selector ?? 'tiny';
  const wanted = Array.from({ length: 12 }, (_, index) => (index === 5 ? 'no-such-model' : model));
  const [completed = ''] = await Promise.all(wanted.map((name) => ask(relay, { model: name })));
  const streamed = await ask(relay, { model, stream: true });
  started.unshift(...(await startWorkshop(relay)));
  started.unshift(...(await startAnnex(relay)));
  const failed = await ask(relay, { model: 'fake', messages: [{ role: 'user', content: REFUSED_QUESTION }] });
  const devices = await startDevices(relay);
  started.unshift(devices);
  // Usage is written in batches, outside the request path.
  await eventually('the requests are in the request log', async () => {
    const { data } = await relay.manage<{ data: readonly { id: string }[] }>('GET', '/usage/requests');
    return [completed, streamed, failed].every((id) => data.some((row) => row.id === id));
  });
  const { data: nodes } = await relay.manage<{ data: readonly ListedNode[] }>('GET', '/nodes');
  return {
    ...Object.fromEntries(nodes.map(({ name, node_id }) => [`computer-${name}`, `/computers/${node_id}`])),
    // No two pages of one title follow each other.
    'request-completed': `/requests/${completed}`,
    'device-computer': devices.computer,
    'request-streamed': `/requests/${streamed}`,
    'device-login': devices.login,
    'request-failed': `/requests/${failed}`,
  };
}

/** A computer with models to load and remove, a loaded one that a request runs on, and an engine that cannot be reached. */
async function startWorkshop(relay: RelayClient): Promise<readonly { stop(): Promise<void> }[]> {
  const [router, engine] = await Promise.all([LlamaServerRouter.start(), FakeEngine.start()]);
  const node = await TestNode.start(relay, {
    name: 'workshop',
    engines: [
      { kind: 'llama-server', base_url: router.server.url },
      { kind: 'openai-compatible', base_url: engine.url, resident: 'all' },
      { kind: 'openai-compatible', base_url: NOWHERE },
    ],
  });
  engine.respond = answerByScript;
  const arrived = engine.nextCall();
  const client = new AbortController();
  const body = JSON.stringify({ model: 'fake', messages: [{ role: 'user', content: ENDLESS_QUESTION }], stream: true });
  const headers = { authorization: `Bearer ${relay.apiKey}`, 'content-type': 'application/json' };
  const response = fetch(`${relay.baseUrl}/v1/chat/completions`, {
    method: 'POST',
    headers,
    body,
    signal: client.signal,
  });
  // Until it is aborted.
  void response.then((got) => got.text()).catch(() => undefined);
  await arrived;
  const request = {
    stop: async (): Promise<void> => {
      client.abort();
      await Promise.allSettled([response]);
    },
  };
  return [request, node, router.server, engine];
}

/** A computer on which a model could not be loaded. */
async function startAnnex(relay: RelayClient): Promise<readonly { stop(): Promise<void> }[]> {
  const router = await LlamaServerRouter.start();
  router.breaksNext = true;
  const node = await TestNode.start(relay, {
    name: 'annex',
    engines: [{ kind: 'llama-server', base_url: router.server.url, poll_ms: 500 }],
  });
  const load = await eventually('the model that cannot be loaded is in the inventory', async () => {
    const { data } = await relay.manage<{ data: readonly ListedNode[] }>('GET', '/nodes');
    const annex = data.find(({ name }) => name === 'annex');
    const model = annex?.models.find(({ key }) => key.includes('random'))?.key;
    return model === undefined ? undefined : { kind: 'load', node_id: annex?.node_id, model };
  });
  const { id } = await relay.manage<{ id: string }>('POST', '/operations', load);
  await eventually('the load has failed', async () => {
    const { state } = await relay.manage<{ state: string }>('GET', `/operations/${id}`);
    return state === 'failed';
  });
  return [node, router.server];
}

interface ListedNode {
  readonly node_id: string;
  readonly name: string;
  readonly models: readonly { readonly key: string }[];
}

/** @returns the id of the request */
async function ask(relay: RelayClient, request: object): Promise<string> {
  const response = await fetch(`${relay.baseUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${relay.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }], max_tokens: 40, ...request }),
  });
  await response.text();
  return response.headers.get('x-request-id') ?? '';
}
