import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitForModel } from './wait-for-model.js';

const model = (id: string, clusterId: string, loaded: boolean) => ({
  id,
  display_name: id,
  loaded,
  clusters: [{ cluster_id: clusterId, loaded }],
});

let server: Server;
let baseUrl: string;
/** One inventory per request; the last one stays. */
let inventories: (readonly object[] | number)[];

beforeEach(async () => {
  nodeStates = [[]];
  server = createServer((req, res) => {
    const next = inventories.length > 1 ? inventories.shift() : inventories[0];
    if (typeof next === 'number' || req.headers.authorization !== 'Bearer sk') res.writeHead(Number(next) || 401).end();
    else res.end(JSON.stringify({ object: 'list', data: next }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  baseUrl = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

/** What the relay says of the node, once per question; the last one stays. undefined: it is not connected. */
let nodeStates: (readonly (readonly [name: string, state: string])[] | undefined)[];
const ownNode = () => {
  const next = nodeStates.length > 1 ? nodeStates.shift() : nodeStates[0];
  const models = (next ?? []).map(([display_name, state]) => ({ display_name, state }));
  return Promise.resolve({ online: next !== undefined, models });
};

const wanted = { expectsQuickstartModel: true, ownNode, apiKey: 'sk', clusterId: 'cl_home' } as const;
const wait = (timeoutMs: number, signal = new AbortController().signal): Promise<string | null> =>
  waitForModel({ ...wanted, preparesGraphics: false, baseUrl, timeoutMs, signal });
const waitForAny = (timeoutMs: number): Promise<string | null> =>
  waitForModel({
    preparesGraphics: false,
    ...wanted,
    expectsQuickstartModel: false,
    baseUrl,
    timeoutMs,
    signal: new AbortController().signal,
  });

describe('waiting for a model', () => {
  it("waits until the quickstart's model is loaded, despite failed polls", async () => {
    inventories = [503, [], [model('tiny', 'cl_home', false)], [model('tiny', 'cl_home', true)]];
    expect(await wait(10_000)).toBe('tiny');
  });

  it('prefers it to a model that is loaded earlier', async () => {
    const qwen = model('qwen3', 'cl_home', true);
    inventories = [[qwen], [qwen, model('tiny', 'cl_home', true)]];
    expect(await wait(10_000)).toBe('tiny');
  });

  it('returns its selector where several models have its name', async () => {
    inventories = [[{ ...model('tiny', 'cl_home', true), id: 'mdl_0123456789abcdef' }]];
    expect(await wait(10_000)).toBe('mdl_0123456789abcdef');
  });

  it('uses any loaded model at the deadline', async () => {
    inventories = [[model('qwen3', 'cl_home', true)]];
    expect(await wait(0)).toBe('qwen3');
  });

  it('returns none when nothing is loaded in this cluster at the deadline', async () => {
    inventories = [[model('tiny', 'cl_other', true)]];
    expect(await wait(0)).toBeNull();
  });

  it('fails when the node is not connected at the deadline', async () => {
    inventories = [[model('qwen3', 'cl_home', true)]];
    nodeStates = [undefined];
    await expect(wait(0)).rejects.toMatchObject({ code: 'node_not_connected' });
  });

  it("uses another one at once when the quickstart's was unloaded", async () => {
    inventories = [[], [model('qwen3', 'cl_home', true)]];
    nodeStates = [
      [],
      [
        ['tiny', 'installed'],
        ['qwen3', 'loading'],
      ],
      [
        ['tiny', 'installed'],
        ['qwen3', 'loaded'],
      ],
    ];
    expect(await wait(10_000)).toBe('qwen3');
  });

  it('returns none when every model was unloaded', async () => {
    inventories = [[]];
    nodeStates = [
      [['tiny', 'loading']],
      [
        ['tiny', 'installed'],
        ['qwen3', 'installed'],
      ],
    ];
    expect(await wait(10_000)).toBeNull();
  });

  it('returns none at once when it cannot be loaded and no other is', async () => {
    inventories = [[]];
    nodeStates = [[['tiny', 'failed']]];
    expect(await wait(3_600_000)).toBeNull();
  });

  it('tolerates a short outage of the relay', async () => {
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    const waiting = wait(10_000);
    inventories = [[model('tiny', 'cl_home', true)]];
    server.listen(port, '127.0.0.1');
    expect(await waiting).toBe('tiny');
  });

  it('ends at once when aborted', async () => {
    inventories = [[]];
    const cancel = new AbortController();
    const waiting = wait(60_000, cancel.signal);
    cancel.abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe("waiting for a model on a node without the quickstart's", () => {
  it('uses the first one that is loaded', async () => {
    inventories = [[], [model('qwen3', 'cl_home', true)]];
    expect(await waitForAny(60_000)).toBe('qwen3');
  });

  it('waits for the connection of the node', async () => {
    inventories = [[]];
    nodeStates = [undefined, undefined, [['qwen3', 'installed']]];
    expect(await waitForAny(3_600_000)).toBeNull();
    expect(nodeStates).toHaveLength(1);
  });

  it("waiting for a model on a node without the quickstart's does not wait for one that is loading", async () => {
    inventories = [[]];
    nodeStates = [[['qwen3', 'loading']]];
    expect(await waitForAny(3_600_000)).toBeNull();
  });

  it('gives the inventory a moment when the node has one loaded', async () => {
    inventories = [[], [], [model('qwen3', 'cl_home', true)]];
    nodeStates = [[['qwen3', 'loaded']]];
    expect(await waitForAny(3_600_000)).toBe('qwen3');
  });

  it('returns none early when the node has no models', async () => {
    inventories = [[]];
    nodeStates = [[]];
    expect(await waitForAny(3_600_000)).toBeNull();
  });
});
