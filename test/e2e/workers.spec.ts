// Own relay: it consists of several processes, one of which is killed.
/** A relay of several workers: processes that share one port and one Postgres (docs/operate/scaling.md#workers). */
import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dialRelay } from '../../src/agent/connection/dial-relay.js';
import { linkAuthorization } from '../../src/agent/enrolment/link-authorization.js';
import { readIdentity } from '../../src/agent/enrolment/node-identity.js';
import { importNodeKey } from '../../src/agent/enrolment/node-key.js';
import { eventually } from '../support/clock/eventually.js';
import { dataOf, eventsOf } from '../support/client/event-stream.js';
import { type FakeCall, FakeEngine } from '../support/engine/fake-engine.js';
import { MetricsPage, valueOf } from '../support/process/metrics-page.js';
import { TestNode } from '../support/process/test-node.js';
import { TestRelay } from '../support/process/test-relay.js';

const WORKERS = [1, 2] as const;
const body = { model: 'fake', messages: [{ role: 'user' as const, content: 'hi' }] };

const childrenOf = (pid: number): number[] =>
  execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map(Number);

describe('a relay with two workers', () => {
  let relay: TestRelay;
  let engine: FakeEngine;
  let node: TestNode;
  let metrics: MetricsPage;
  let running: FakeCall[];
  let answer: FakeEngine['respond'];

  /** Each on a connection of its own, as clients that do not know each other. */
  const chat = (extra: object = {}, signal: AbortSignal | null = null): Promise<Response> =>
    relay.chat({ ...body, ...extra }, { headers: { connection: 'close' }, signal });

  /** The engine begins each stream, and ends it when it is told to. */
  const beginOnly = (): void => {
    running = [];
    engine.respond = (call) => {
      running.push(call);
      call.startStream();
      call.chunk({ role: 'assistant', content: 'Once upon' });
    };
  };
  const finishAll = (): void => {
    for (const call of running) call.finish();
  };

  const linksAre = (counts: readonly number[]): Promise<unknown> =>
    eventually('the node is linked to every worker', async () => {
      const text = await metrics.scrape();
      return WORKERS.every((worker, at) => valueOf(text, `ferry_links{worker="${worker}"}`) === counts[at]);
    });

  beforeAll(async () => {
    engine = await FakeEngine.start();
    answer = engine.respond;
    relay = await TestRelay.start({ env: { FERRY_WORKERS: '2', FERRY_METRICS_PORT: '0' } });
    metrics = await MetricsPage.of(relay.process);
    node = await TestNode.start(relay, { engines: [{ kind: 'openai-compatible', base_url: engine.url, slots: 64 }] });
  }, 120_000);

  afterAll(async () => {
    await node.stop();
    await relay.stop();
    await engine.stop();
  }, 60_000);

  it('serves from both, and a node is at home on each', async () => {
    expect(childrenOf(relay.pid)).toHaveLength(2);
    await linksAre([1, 1]);
    for (let request = 0; request < 6; request += 1) expect((await chat()).status).toBe(200);
    const text = await metrics.scrape();
    const served = WORKERS.map((worker) =>
      valueOf(text, `ferry_requests_total{worker="${worker}",dialect="chat",status_class="2xx",outcome="completed"}`),
    );
    expect(served[0]).toBeGreaterThan(0);
    expect(served[1]).toBeGreaterThan(0);
    expect((served[0] ?? 0) + (served[1] ?? 0)).toBe(6);
    // The documents of metrics name each once.
    expect(text.match(/^# TYPE ferry_requests_total /gm)).toHaveLength(1);
    const ready = relay.process.stderr.split('\n').filter((line) => line.includes('"msg":"ready"'));
    expect(ready.map((line) => (JSON.parse(line) as { worker: number }).worker).sort()).toEqual([1, 2]);
  });

  it('refuses a further link of a node that is linked to both, with a response', async () => {
    const identity = (await readIdentity(node.dataDirectory))!;
    const linkedReplicas = [...relay.process.stderr.matchAll(/"replica":"(rep_\w+)"/g)].map(([, id]) => id!);
    expect(new Set(linkedReplicas).size).toBe(2);
    const address = new URL(relay.baseUrl);
    const key = importNodeKey(identity.private_key);
    const dialled = dialRelay({
      relay: address,
      authorize: (nonce) => linkAuthorization({ nodeId: identity.node_id, nonce, host: address.host, key }),
      links: { linkedReplicas, epoch: undefined },
      timeoutMs: 10_000,
      userAgent: 'ferry-test',
      signal: new AbortController().signal,
    });
    // A proxy takes a connection that ends without a response for a failure of the relay.
    await expect(dialled).rejects.toThrow('refused the link (421)');
  });

  it('knows the nodes of the others when it is ready, and not only after their next heartbeat', () => {
    const of = (msg: string): number => {
      const lines = relay.process.stderr.split('\n').filter((line) => line.startsWith('{'));
      const entries = lines.map((line) => JSON.parse(line) as { msg: string; worker?: number; time: string });
      const found = entries.find((entry) => entry.msg === msg && entry.worker === 2);
      return Date.parse(found?.time ?? '');
    };
    expect(of('replica joined') - of('ready')).toBeLessThan(1_000);
  });

  it('counts the limit of a key over both, and a revoked key is refused by both', async () => {
    const { key_id: id, key } = await relay.manage<{ key_id: string; key: string }>('POST', '/keys', {
      name: 'limited',
      limits: { requests_per_minute: 8 },
    });
    const ask = async (): Promise<number> =>
      (
        await fetch(`${relay.baseUrl}/v1/chat/completions`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', connection: 'close' },
          body: JSON.stringify(body),
        })
      ).status;
    const statuses: number[] = [];
    for (let request = 0; request < 16; request += 1) statuses.push(await ask());
    const served = statuses.filter((status) => status === 200).length;
    // One second of the rate more for each further worker at most (docs/operate/scaling.md).
    expect(served).toBeGreaterThanOrEqual(8);
    expect(served).toBeLessThanOrEqual(10);
    await relay.manage('DELETE', `/keys/${id}`);
    await eventually('every worker refuses the key', async () => {
      const refused = await Promise.all([ask(), ask(), ask(), ask()]);
      return refused.every((status) => status === 401);
    });
  });

  it('a killed worker is replaced, and only its connections are lost', async () => {
    const pids = childrenOf(relay.pid);
    beginOnly();
    const streams: Response[] = [];
    // A worker that is busy for a moment is handed no connection.
    await eventually('both workers have streams', async () => {
      streams.push(await chat({ stream: true }));
      const text = await metrics.scrape();
      return (
        streams.length >= 8 && WORKERS.every((worker) => valueOf(text, `ferry_open_streams{worker="${worker}"}`) > 0)
      );
    });
    const read = Promise.all(
      streams.map(async (response) => {
        const texts: string[] = [];
        try {
          for await (const event of eventsOf(response)) texts.push(event.text);
          return dataOf(texts).length > 0 && texts.at(-1) === 'data: [DONE]' ? 'whole' : 'cut';
        } catch {
          return 'cut';
        }
      }),
    );
    process.kill(pids[0] ?? 0, 'SIGKILL');
    // The other one serves meanwhile.
    await eventually('a new request is served', async () => {
      // Node 20 loses a connection that it hands to a worker in the moment of its death.
      const response = await chat({ stream: true }, AbortSignal.timeout(2_000)).catch(() => undefined);
      await response?.body?.cancel();
      return response?.status === 200;
    });
    finishAll();
    const outcomes = await read;
    expect(outcomes).toHaveLength(streams.length);
    expect(outcomes).toContain('whole');
    expect(outcomes).toContain('cut');
    await eventually(
      'the worker is replaced',
      () => Promise.resolve(relay.process.stderr.includes('the worker is replaced')),
      30_000,
    );
    expect(childrenOf(relay.pid)).toHaveLength(2);
    expect(childrenOf(relay.pid)).not.toContain(pids[0]);
    await linksAre([1, 1]);
    engine.respond = answer;
  });

  it('drains all workers on SIGTERM: running streams end whole, and no process is left', async () => {
    const pids = childrenOf(relay.pid);
    beginOnly();
    const streams = await Promise.all(Array.from({ length: 6 }, () => chat({ stream: true })));
    relay.process.child.kill('SIGTERM');
    await eventually('the relay drains', () => Promise.resolve(relay.process.stderr.includes('"msg":"draining"')));
    finishAll();
    for (const response of streams) {
      const texts: string[] = [];
      for await (const event of eventsOf(response)) texts.push(event.text);
      expect(texts.at(-1)).toBe('data: [DONE]');
    }
    expect(await relay.process.exited).toBe(0);
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });
});
