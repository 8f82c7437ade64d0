/** What three relays tell each other over the bus: every request works at any of them. */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/clock/eventually.js';
import { allEvents, dataOf } from '../support/client/event-stream.js';
import { FakeEngine } from '../support/engine/fake-engine.js';
import { FerryProcess } from '../support/process/ferry-process.js';
import { RelayGroup } from '../support/process/relay-group.js';
import { servedWithin } from '../support/replicas/served-extension.js';
import { TestNode } from '../support/process/test-node.js';

const RELAYS = 3;
/** For 30 s after its start, a node waits for an engine that can install. */
const NODE_RESPONSES_WITHIN_MS = 40_000;

interface ShownNode {
  readonly node_id: string;
  readonly online: boolean;
  readonly accepts_work: boolean;
  readonly agent_version: string;
  readonly platform: string;
  readonly problem: string | null;
  readonly engines: readonly unknown[];
  readonly gpus: readonly unknown[];
  readonly memory: { readonly total_bytes: number } | null;
  readonly models: readonly { readonly key: string }[];
}

describe('three relays with a bus', () => {
  let group: RelayGroup;
  let engine: FakeEngine;
  let nodes: TestNode[];
  /** Answers of the engine do not end while it is true. */
  let endless = false;
  /** Requests at the engine now, and when their number changed. */
  let atEngine = 0;
  let onChange: (running: number) => void = () => undefined;

  beforeAll(async () => {
    group = await RelayGroup.start(RELAYS, { FERRY_LINK_MAX_LINKS: '1' });
    await group.connected();
    engine = await FakeEngine.start();
    engine.respond = async (call) => {
      onChange((atEngine += 1));
      call.startStream();
      do {
        call.chunk({ content: 'on and ' });
        await delay(20);
      } while (endless && !call.gone);
      onChange((atEngine -= 1));
      call.finish();
    };
    const engines = [{ kind: 'openai-compatible', base_url: engine.url }] as const;
    nodes = await Promise.all(group.relays.map((relay, at) => TestNode.start(relay, { name: `node${at}`, engines })));
  }, 180_000);

  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.stop()));
    await engine.stop();
    await group.stop();
  }, 60_000);

  interface NewKey {
    readonly key: string;
    readonly name: string;
  }
  const newKey = (name: string, limits: object = {}): Promise<NewKey> =>
    group.at(0).manage<NewKey>('POST', '/keys', { name, limits });
  const chat = (at: number, { key }: NewKey): Promise<Response> =>
    group
      .at(at % RELAYS)
      .chat(
        { model: 'fake', stream: true, messages: [{ role: 'user', content: 'hi' }] },
        { headers: { authorization: `Bearer ${key}` } },
      );
  const statusOf = async (at: number, key: NewKey): Promise<number> => {
    const response = await chat(at, key);
    await response.text();
    return response.status;
  };

  it('admit 60 to 66 of 180 requests of a key with 60 a minute', async () => {
    const key = await newKey('sixty', { requests_per_minute: 60 });
    const startedMs = performance.now();
    const statuses: number[] = [];
    const client = async (at: number): Promise<void> => {
      for (let sent = 0; sent < 60; sent += 1) statuses.push(await statusOf(at, key));
    };
    await Promise.all([0, 1, 2].map(client));
    const refilled = Math.floor((performance.now() - startedMs) / 1_000);
    const admitted = statuses.filter((status) => status === 200).length;
    process.stdout.write(`${admitted} of ${statuses.length} admitted, ${refilled} of them refilled\n`);
    expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
    expect(admitted).toBeGreaterThanOrEqual(60);
    expect(admitted - refilled).toBeLessThanOrEqual(66);
  }, 60_000);

  it('three relays with a bus serve an extension within 2 s of its switch at one of them', async () => {
    for (const enabled of [true, false, true, false])
      expect(await servedWithin(group.at(0), group.relays, enabled)).toBeLessThan(2_000);
  }, 60_000);

  it('three relays with a bus count running requests together', async () => {
    endless = true;
    const key = await newKey('two at once', { concurrency: 2 });
    const running = [await chat(0, key)];
    await delay(100);
    running.push(await chat(1, key));
    await delay(100);
    expect(running.map(({ status }) => status)).toEqual([200, 200]);
    expect(await Promise.all([0, 1, 2].map((at) => statusOf(at, key)))).toEqual([429, 429, 429]);
    await delay(3_500);
    expect(await statusOf(2, key)).toBe(429);
    await running[0]?.body?.cancel();
    endless = false;
    await eventually('a place is free', async () => (await statusOf(2, key)) === 200, 2_000);
    await running[1]?.text();
  }, 60_000);

  it('three relays with a bus run at most one request more than the limit for each other relay, and for less than a second', async () => {
    const limit = 4;
    const key = await newKey('four at once', { concurrency: limit });
    let most = 0;
    let overSinceMs: number | null = null;
    let longestOverMs = 0;
    onChange = (running) => {
      const nowMs = performance.now();
      most = Math.max(most, running);
      if (overSinceMs !== null) longestOverMs = Math.max(longestOverMs, nowMs - overSinceMs);
      overSinceMs = running > limit ? (overSinceMs ?? nowMs) : null;
    };
    const endMs = performance.now() + 5_000;
    const counts = { admitted: 0, refused: 0, other: 0 };
    const client = async (at: number): Promise<void> => {
      while (performance.now() < endMs) {
        const status = await statusOf(at, key);
        counts[status === 200 ? 'admitted' : status === 429 ? 'refused' : 'other'] += 1;
        await delay(Math.random() * 20);
      }
    };
    await Promise.all(Array.from({ length: 4 * RELAYS }, (_unused, at) => client(at)));
    onChange = () => undefined;
    process.stdout.write(`${JSON.stringify(counts)}, at most ${most}, over for ${longestOverMs.toFixed(0)} ms\n`);
    expect(counts.other).toBe(0);
    expect(counts.refused).toBeGreaterThan(0);
    expect(most).toBeGreaterThanOrEqual(limit);
    expect(most).toBeLessThanOrEqual(limit + RELAYS - 1);
    expect(longestOverMs).toBeLessThan(1_000);
  }, 60_000);

  it('three relays with a bus give the whole limit to requests that all come at once to one of them', async () => {
    endless = true;
    const limit = 4;
    const key = await newKey('four at one', { concurrency: limit });
    const responses = await Promise.all(Array.from({ length: limit + 3 }, () => chat(0, key)));
    const running = responses.filter(({ status }) => status === 200);
    expect(running).toHaveLength(limit);
    endless = false;
    await Promise.all(responses.map((response) => response.text()));
  }, 60_000);

  it('three relays with a bus end the streams of a revoked key within 2 s', async () => {
    endless = true;
    const key = await newKey('revoked');
    const streams = [0, 1, 2].map(async (at) => allEvents(await chat(at, key)));
    await delay(300);
    const startedMs = performance.now();
    await group.at(1).manage('DELETE', '/keys/revoked');
    for (const events of await Promise.all(streams))
      expect(dataOf(events).at(-1)).toMatchObject({ error: { code: 'invalid_credential' } });
    expect(performance.now() - startedMs).toBeLessThan(2_000);
    endless = false;
  }, 60_000);

  describe('requests of another relay', () => {
    const idOf = (response: Response): string => response.headers.get('x-request-id') ?? '';
    interface Listed {
      readonly data: readonly { readonly id: string; readonly key_name?: string | null }[];
    }
    const listed = async (at: number, route: string): Promise<string[]> =>
      (await group.at(at).manage<Listed>('GET', route)).data.map(({ id }) => id);

    it('requests of another relay are explained and listed by every relay', async () => {
      const key = await newKey('explained');
      const responses = await Promise.all([0, 1, 2].map((at) => chat(at, key)));
      await Promise.all(responses.map((response) => response.text()));
      const ids = responses.map(idOf);
      for (const at of [0, 1, 2]) {
        for (const [served, id] of ids.entries()) {
          const explained = await group.at(at).manage<{ attempts: { node_name: string }[] }>('GET', `/requests/${id}`);
          expect(explained.attempts.map(({ node_name: name }) => name)).toEqual([`node${served}`]);
        }
        expect((await listed(at, '/requests?limit=3')).sort()).toEqual([...ids].sort());
      }
      const first = await group.at(0).manage<{ next_cursor: string }>('GET', '/requests?limit=2');
      const rest = await listed(0, `/requests?limit=1&cursor=${encodeURIComponent(first.next_cursor)}`);
      expect(ids).toContain(rest[0]);
    }, 60_000);

    it('requests of another relay are shown while they run, and stopped by any relay', async () => {
      endless = true;
      const key = await newKey('running');
      const response = await chat(1, key);
      const events = allEvents(response);
      const running = await group.at(2).manage<Listed>('GET', '/requests/running');
      expect(running.data.map(({ id, key_name: name }) => [id, name])).toEqual([[idOf(response), 'running']]);
      await group.at(0).manage('POST', `/requests/${idOf(response)}/cancel`);
      expect(dataOf(await events).at(-1)).toMatchObject({ error: { code: 'request_stopped' } });
      endless = false;
      await expect(group.at(0).manage('POST', `/requests/${idOf(response)}/cancel`)).rejects.toThrow('404');
      const trail = await group.at(2).manage<{ data: { action: string }[] }>('GET', '/audit');
      expect(trail.data.filter(({ action }) => action === 'request.cancel')).toHaveLength(1);
    }, 60_000);
  });

  it('three relays with a bus tell the feeds of each other of requests', async () => {
    const feed = await fetch(`${group.at(2).baseUrl}/api/events`, {
      headers: { authorization: `Bearer ${group.at(2).credentials.cli_token}` },
    });
    const reader = feed.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    const reading = (async () => {
      for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value;
    })();
    await statusOf(0, await newKey('fed'));
    await eventually(
      'the feed names requests and usage',
      () => /"requests"/.test(text) && /"usage"/.test(text),
      10_000,
    );
    await reader.cancel();
    await reading;
  }, 60_000);

  it('three relays with a bus show nodes of each other, and take operations for them', async () => {
    const id = await nodes[0]!.id();
    const shownAt = async (at: number): Promise<ShownNode> => {
      const { data } = await group.at(at).manage<{ data: ShownNode[] }>('GET', '/nodes');
      return data.find(({ node_id: shown }) => shown === id)!;
    };
    await eventually('the node is shown at the third with its models', async () => {
      const { online, models } = await shownAt(2);
      return online && models.length > 0;
    });
    const [here, there] = await Promise.all([shownAt(0), shownAt(2)]);
    expect(there.engines.length).toBeGreaterThan(0);
    expect(there.memory?.total_bytes).toBeGreaterThan(0);
    for (const part of ['accepts_work', 'agent_version', 'engines', 'gpus', 'platform', 'problem'] as const)
      expect(there[part]).toEqual(here[part]);
    expect(there.models.map(({ key }) => key)).toEqual(here.models.map(({ key }) => key));
    expect(there.memory?.total_bytes).toBe(here.memory?.total_bytes);
    const created = await group.at(2).manage<{ id: string; node_online: boolean }>('POST', '/operations', {
      kind: 'install',
      node_id: id,
      source: 'https://127.0.0.1:1/nothing.gguf',
    });
    expect(created.node_online).toBe(true);
    await eventually(
      'the node has answered',
      async () => {
        const { state } = await group.at(1).manage<{ state: string }>('GET', `/operations/${created.id}`);
        return state === 'failed';
      },
      NODE_RESPONSES_WITHIN_MS,
    );
  }, 60_000);

  it('three relays with a bus end the links of an older process of a node within a second of its newer one at another relay', async () => {
    const [node] = nodes;
    const id = await node!.id();
    const copy = await mkdtemp(path.join(tmpdir(), 'ferry-copy-'));
    await cp(node!.dataDirectory, copy, { recursive: true, filter: (file) => !file.endsWith('.sock') });
    const newer = FerryProcess.start(['node', 'run'], {
      ...node!.env,
      FERRY_DATA_DIR: copy,
      FERRY_NODE_RELAY_URL: group.at(1).baseUrl,
    });
    try {
      const connected = new RegExp(`"node":"${id}".*"msg":"node connected"`);
      await eventually(
        'the newer process is at the second relay',
        () => connected.test(group.at(1).process.stderr),
        20_000,
      );
      const closed = new RegExp(`"node":"${id}".*"detail":"superseded".*"msg":"node link closed"`);
      await eventually('its older link is closed', () => closed.test(group.at(0).process.stderr), 1_000);
    } finally {
      await newer.stop();
      await rm(copy, { recursive: true, force: true });
    }
  }, 60_000);

  it('explain a request of a relay that is gone as it did', async () => {
    endless = false;
    const response = await chat(1, await newKey('gone'));
    await response.text();
    const id = response.headers.get('x-request-id') ?? '';
    await eventually(
      'it is logged',
      async () => (await group.at(0).manage('GET', `/usage/requests/${id}`)) !== undefined,
    );
    await group.at(1).process.stop();
    const explained = await eventually('its relay is not asked any more', () =>
      group.at(0).manage<{ outcome: string; decisions: unknown[]; missing: string | null }>('GET', `/requests/${id}`),
    );
    expect(explained).toMatchObject({
      outcome: 'completed',
      // The others are reached through its relays.
      decisions: [
        { candidates: expect.arrayContaining([expect.objectContaining({ node_name: 'node1', eligible: true })]) },
      ],
      missing: null,
    });
  }, 60_000);
});
