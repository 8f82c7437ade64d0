// Own relay: its settings make every late request hedge.
/**
 * Two nodes, of which the first sends nothing: the request is hedged to the second, and the first event wins
 * (docs/reference/request-lifecycle.md#dispatch-and-failover).
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/clock/eventually.js';
import { eventsOf } from '../support/client/event-stream.js';
import { FakeEngine, type FakeCall } from '../support/engine/fake-engine.js';
import { TestNode } from '../support/process/test-node.js';
import { TestRelay } from '../support/process/test-relay.js';

/** The number of first events of a node before the relay can estimate which are late. */
const TELLING_CALLS = 25;
const WARM_UP_AT_ONCE = 10;

interface Explained {
  readonly outcome: string;
  readonly retried: boolean;
  readonly hedged: boolean;
  readonly decisions: readonly { readonly reason: string }[];
  readonly attempts: readonly { readonly result: string; readonly hedge: boolean; readonly node_id: string }[];
}

interface Logged {
  readonly id: string;
  readonly retried: boolean;
  readonly attempts: number;
  readonly outcome: string;
}

describe('a late node', () => {
  let relay: TestRelay;
  const engines: FakeEngine[] = [];
  const nodes: TestNode[] = [];

  beforeAll(async () => {
    relay = await TestRelay.start({
      env: { FERRY_HEDGE_BUDGET_PERCENT: '100', FERRY_HEDGE_AFTER_MS: '200', FERRY_EXPLAIN_HEADERS: 'on' },
    });
    for (const name of ['one', 'two']) {
      const engine = await FakeEngine.start();
      engines.push(engine);
      const entry = { kind: 'openai-compatible' as const, base_url: engine.url };
      nodes.push(await TestNode.start(relay, { name, engines: [entry] }));
    }
    // Several different prompts at once: one after the other, the node that is a little faster or has the prefix in its cache gets them all.
    for (let batch = 0; engines.some(({ calls }) => calls.length < TELLING_CALLS); batch += 1) {
      if (batch > 50) throw new Error('one of two equal nodes gets no requests');
      const prompts = Array.from({ length: WARM_UP_AT_ONCE }, (_, index) => `warm-up ${batch}.${index}`);
      await Promise.all(prompts.map(async (prompt) => (await ask(prompt)).text()));
    }
  }, 120_000);

  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.stop()));
    await Promise.all(engines.map((engine) => engine.stop()));
    await relay.stop();
  }, 60_000);

  const ask = (marker: string, fields: object = {}): Promise<Response> =>
    relay.chat({ model: 'fake', messages: [{ role: 'user', content: marker }], stream: true, ...fields });

  /** In the order of their start. */
  const runsOf = (marker: string): FakeCall[] =>
    engines
      .flatMap(({ calls }) => calls)
      .filter(({ raw }) => raw.includes(marker))
      .sort((one, other) => one.receivedAt - other.receivedAt);

  /** @param play called with the two runs of the request, in the order of their start */
  const respondWith = (play: (run: FakeCall, first: FakeCall | null) => void): void => {
    let first: FakeCall | null = null;
    for (const engine of engines) {
      engine.respond = (run) => {
        play(run, first);
        first ??= run;
      };
    }
  };

  const speak = (run: FakeCall, text: string): void => {
    run.startStream();
    run.chunk({ role: 'assistant', content: text });
    run.finish();
  };

  /** All records of the request: log, usage and explanation. */
  const expectHedged = async (response: Response, marker: string, results: readonly string[]): Promise<void> => {
    const id = response.headers.get('x-request-id') ?? '';
    expect(runsOf(marker)).toHaveLength(2);
    const explained = await relay.manage<Explained>('GET', `/requests/${id}`);
    expect(explained).toMatchObject({ outcome: 'completed', retried: true, hedged: true });
    expect(explained.attempts.map(({ result, hedge }) => [result, hedge])).toEqual([
      [results[0], false],
      [results[1], true],
    ]);
    expect(new Set(explained.attempts.map(({ node_id: node }) => node)).size).toBe(2);
    expect(explained.decisions.map(({ reason }) => reason)).toEqual(['cheapest', 'hedge']);
    const logged = await eventually('the request is in the request log', async () => {
      const { data } = await relay.manage<{ data: readonly Logged[] }>('GET', '/usage/requests');
      return data.find((row) => row.id === id);
    });
    expect(logged).toMatchObject({ outcome: 'completed', retried: true, attempts: 2 });
    const { stdout, stderr } = relay.process;
    expect(`${stdout}${stderr}`).toContain(`retried=true hedged=true req_id=${id}`);
  };

  it('loses to a hedge that answers, and its engine is stopped', async () => {
    respondWith((run, first) => {
      if (first !== null) speak(run, 'from the second');
    });
    const response = await ask('second wins');
    expect(response.headers.get('x-ferry-attempts')).toBe('2');
    const text = await response.text();
    expect(text).toContain('from the second');
    expect(text).toContain('data: [DONE]');
    await runsOf('second wins')[0]?.aborted;
    await expectHedged(response, 'second wins', ['overtaken', 'completed']);
  }, 30_000);

  it('wins when it answers first, and the hedge is stopped', async () => {
    respondWith((_, first) => {
      if (first !== null) speak(first, 'from the first');
    });
    const response = await ask('first wins');
    const texts: string[] = [];
    for await (const { text } of eventsOf(response)) texts.push(text);
    expect(texts.join('')).toContain('from the first');
    expect(texts.at(-1)).toContain('[DONE]');
    await runsOf('first wins')[1]?.aborted;
    await expectHedged(response, 'first wins', ['completed', 'overtaken']);
  }, 30_000);

  it('loses without streaming as well', async () => {
    respondWith((run, first) => {
      if (first !== null) run.completion('whole, from the second');
    });
    const response = await ask('whole answer', { stream: false, max_tokens: 1 });
    expect(await response.json()).toMatchObject({ choices: [{ message: { content: 'whole, from the second' } }] });
    await runsOf('whole answer')[0]?.aborted;
    await expectHedged(response, 'whole answer', ['overtaken', 'completed']);
  }, 30_000);

  it('a late node is stopped at once when the client disconnects, and so is the hedge', async () => {
    const leaving = new AbortController();
    const second = new Promise<void>((resolve) => {
      respondWith((_, first) => {
        if (first !== null) resolve();
      });
    });
    const response = relay.chat(
      { model: 'fake', messages: [{ role: 'user', content: 'client leaves' }], stream: true },
      { signal: leaving.signal },
    );
    await second;
    leaving.abort();
    await expect(response).rejects.toThrow();
    await Promise.all(runsOf('client leaves').map(({ aborted }) => aborted));
    expect(runsOf('client leaves')).toHaveLength(2);
  }, 30_000);
});
