/** Access by API key, on the whole relay with a real node, also while nodes are changed and the database is unavailable. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Logger, type INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { joinCluster, startNode, type RunningNode } from '../../src/agent/main.js';
import { createCredential } from '../../src/kernel/credential.js';
import { createReplicaId } from '../../src/kernel/ids.js';
import { loadSettings } from '../../src/kernel/settings/settings.js';
import { AccountsStore } from '../../src/relay/accounts/accounts.store.js';
import { CliTokensService } from '../../src/relay/accounts/cli-tokens.service.js';
import { LinkWsAdapter } from '../../src/relay/nodes/handshake/link-ws-adapter.js';
import { relaySettings } from '../../src/relay/platform/config/relay-settings.js';
import { RelayHttpAdapter } from '../../src/relay/platform/http/relay-http-adapter.js';
import { DrainRegistry } from '../../src/relay/platform/lifecycle/drain-registry.js';
import { RelayModule } from '../../src/relay/app/relay.module.js';
import { openEmbeddedDatabase, type TestDatabase } from '../support/db/embedded-database.js';
import { allEvents } from '../support/client/event-stream.js';
import { eventually } from '../support/clock/eventually.js';
import { FakeEngine, type FakeCall } from '../support/engine/fake-engine.js';
import { httpServerOptions } from '../support/relay/http-server-options.js';

/** Keys are verified again after this time, so that whatever works during an outage does so from the cache. */
const FRESH_MS = 50;

let directory: string;
let database: TestDatabase;
let app: INestApplication;
let url: string;
let token: string;
let engine: FakeEngine;
let node: RunningNode;
let home: string;
let office: string;

async function api<ReceivedResponse = Record<string, unknown>>(
  method: string,
  route: string,
  body?: object,
): Promise<ReceivedResponse> {
  const response = await fetch(`${url}/api/${route}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const result = (await response.json()) as ReceivedResponse;
  if (!response.ok) throw new Error(JSON.stringify(result));
  return result;
}

const createKey = async (name: string, input: object = {}): Promise<string> =>
  (await api<{ key: string }>('POST', 'keys', { name, ...input })).key;

const models = (key: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${key}`, ...headers } });

const chat = (key: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: 'fake', stream: true, messages: [{ role: 'user', content: 'hi' }] }),
  });

/** A stream that the engine has started and continues when told to. */
async function runningStream(key: string, headers: Record<string, string> = {}) {
  const arrived = engine.nextCall();
  const response = await chat(key, headers);
  const call: FakeCall = await arrived;
  return {
    finish: async (): Promise<string[]> => {
      const events = allEvents(response);
      call.chunk({ content: 'the end' });
      call.finish();
      return events;
    },
  };
}

const errorOf = async (response: Response): Promise<unknown> => {
  const { error } = (await response.json()) as { error: { code: string; type: string } };
  return [response.status, error.type, error.code];
};

beforeAll(async () => {
  Logger.overrideLogger(false);
  directory = await mkdtemp(path.join(tmpdir(), 'ferry-keys-'));
  const limits = { queryTimeoutMs: 2_000, connectTimeoutMs: 2_000, poolSize: 1 };
  database = await openEmbeddedDatabase(limits);
  const config = {
    settings: loadSettings(relaySettings, { FERRY_KEY_CACHE_FRESH_MS: String(FRESH_MS) }).values,
    dataDirectory: directory,
    serviceName: 'Ferry',
    ownedBy: 'ferry',
    replicaId: createReplicaId(),
    version: '0.0.0-test',
    primary: null,
    replicated: false,
    secret: 'a secret of the test suite, long enough',
    baseUrl: 'http://127.0.0.1',
  };
  const module = await Test.createTestingModule({
    imports: [RelayModule.forRoot({ config, database, drain: new DrainRegistry() })],
  }).compile();
  app = module.createNestApplication(new RelayHttpAdapter(httpServerOptions), { bodyParser: false });
  app.useLogger(false);
  app.useWebSocketAdapter(new LinkWsAdapter(app, 5_000));
  await app.listen(0, '127.0.0.1');
  url = await app.getUrl();
  const accountId = await app.get(AccountsStore, { strict: false }).ensureFirst('mine');
  token = await app.get(CliTokensService, { strict: false }).replace(accountId, 'laptop');

  const { join_token: joinToken, cluster_id: clusterId } = await api<{ join_token: string; cluster_id: string }>(
    'POST',
    'join-tokens',
    {},
  );
  home = clusterId;
  office = (await api<{ cluster_id: string }>('POST', 'clusters', { name: 'office' })).cluster_id;
  engine = await FakeEngine.start();
  engine.respond = (call) => {
    call.startStream();
    call.chunk({ content: 'begun' });
  };
  await joinCluster({ relayUrl: url, joinToken, name: 'desk', dataDirectory: directory });
  const env = { FERRY_DATA_DIR: directory, FERRY_NODE_LOG_LEVEL: 'fatal' };
  node = await startNode({ env, engineUrls: [engine.url] });
  const key = await createKey('waiting');
  await eventually('the model is there', async () => (await (await models(key)).text()).includes('fake'), 10_000);
}, 120_000);

afterAll(async () => {
  await node.close();
  await engine.stop();
  await app.close().catch(() => undefined);
  await rm(directory, { recursive: true, force: true });
}, 60_000);

describe('a key without the right to', () => {
  it('a key without the right to run inference: 403 insufficient_scope on every inference route', async () => {
    const key = await createKey('reader', { scopes: ['models:read'] });
    expect((await models(key)).status).toBe(200);
    for (const route of ['chat/completions', 'completions', 'responses']) {
      const response = await fetch(`${url}/v1/${route}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: '{}',
      });
      expect(await errorOf(response)).toEqual([403, 'permission_error', 'insufficient_scope']);
    }
  });

  it('a key without the right to use a cluster: 403 cluster_not_allowed, and it is not served or listed without the header either', async () => {
    const key = await createKey('office only', { cluster_ids: [office] });
    const pinned = { 'x-cluster-id': home };
    expect(await errorOf(await chat(key, pinned))).toEqual([403, 'permission_error', 'cluster_not_allowed']);
    expect(await errorOf(await models(key, pinned))).toEqual([403, 'permission_error', 'cluster_not_allowed']);
    expect(await (await models(key)).text()).not.toContain('fake');
    expect((await chat(key)).status).toBe(503);
  });

  it('manage: refused by every route of /api', async () => {
    const key = await createKey('not a manager');
    const response = await fetch(`${url}/api/keys`, { headers: { authorization: `Bearer ${key}` } });
    expect(response.status).toBe(401);
  });
});

describe('a node changed by its owner', () => {
  it('moves at once, and running requests continue', async () => {
    const key = await createKey('mover');
    const stream = await runningStream(key, { 'x-cluster-id': home });
    const moved = await api('PATCH', `nodes/${node.nodeId}`, { cluster_id: office, name: 'moved' });
    expect(moved).toMatchObject({ cluster_id: office, name: 'moved', online: true });
    const refused = await chat(key, { 'x-cluster-id': home });
    expect([refused.status, refused.headers.get('x-ferry-reason')]).toEqual([503, 'cluster_offline']);
    expect(await (await models(key, { 'x-cluster-id': office })).text()).toContain('fake');
    expect((await stream.finish()).at(-1)).toContain('[DONE]');
    await api('PATCH', `nodes/${node.nodeId}`, { cluster_id: home });
  });

  it('gets no requests while it is paused: 503 nodes_unavailable, and running requests continue', async () => {
    const key = await createKey('pauser');
    const stream = await runningStream(key);
    expect(await api('POST', `nodes/${node.nodeId}/pause`)).toMatchObject({ paused: true, online: true });
    const refused = await chat(key);
    expect([refused.status, refused.headers.get('x-ferry-reason')]).toEqual([503, 'nodes_unavailable']);
    expect((await stream.finish()).at(-1)).toContain('[DONE]');
    expect(await api('POST', `nodes/${node.nodeId}/resume`)).toMatchObject({ paused: false });
    expect((await (await runningStream(key)).finish()).at(-1)).toContain('[DONE]');
  });
});

// Last, because the database does not return.
describe('during a database outage', () => {
  it('recent keys keep working, unknown ones get 503 and never 401, and streams continue', async () => {
    const key = await createKey('seen');
    const unseen = await createKey('never used');
    const pinned = await createKey('seen and pinned', { cluster_ids: [home] });
    expect((await models(pinned, { 'x-cluster-id': home })).status).toBe(200);
    const stream = await runningStream(key);

    await database.crash();
    await new Promise((resolve) => setTimeout(resolve, 2 * FRESH_MS));

    expect((await models(key)).status).toBe(200);
    expect((await models(pinned, { 'x-cluster-id': home })).status).toBe(200);
    expect((await (await runningStream(key)).finish()).at(-1)).toContain('[DONE]');
    for (const unknown of [unseen, createCredential('api-key').text]) {
      const response = await models(unknown);
      expect(response.headers.get('retry-after')).not.toBeNull();
      expect(await errorOf(response)).toEqual([503, 'server_error', 'overloaded']);
    }
    expect((await models('sk-ferry-nonsense')).status).toBe(401);
    expect((await stream.finish()).at(-1)).toContain('[DONE]');
  }, 60_000);
});
