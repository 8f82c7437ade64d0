// Own relay: its settings hold a node for failing after few failures.
/**
 * One node with two models: the failure of one request or one model never makes it refuse the others
 * (docs/reference/api-behaviour.md#order-of-checks, check 7).
 */
import { afterAll, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { cutTextOf } from '../support/client/event-stream.js';
import { eventually } from '../support/clock/eventually.js';
import { FakeEngine, type FakeCall } from '../support/engine/fake-engine.js';
import type { TestNode } from '../support/process/test-node.js';
import { deploy } from '../support/process/deploy.js';
import type { TestRelay } from '../support/process/test-relay.js';

/** Longer than the five seconds after which a first event may count as late, plus the stall timeout. */
const SILENT_MS = 7_000;
const MODELS = ['steady', 'broken'];

interface NodeHealthRecord {
  readonly health: string;
  readonly health_reason: string | null;
  readonly models: readonly { readonly display_name: string; readonly state: string; readonly health: string }[];
}

describe('the only node of an account', () => {
  let relay: TestRelay;
  let engine: FakeEngine;
  let node: TestNode;

  deploy(
    {
      relay: {
        env: {
          FERRY_HEALTH_FAILURE_THRESHOLD: '3',
          FERRY_HEALTH_STALL_MS: '1000',
          // Health must not recover with time here, only by the actions of the tests.
          FERRY_HEALTH_PROBE_AFTER_MS: '3600000',
        },
      },
      fake: { models: MODELS },
      engine: { slots: 4, resident: 'all' },
    },
    (started) => {
      ({ relay, engine, node } = started);
    },
  );

  // One of the tests starts another one.
  afterAll(() => engine.stop());

  const ask = (model: string, content = 'hi'): Promise<Response> =>
    relay.chat({ model, stream: true, messages: [{ role: 'user', content }] });

  const record = async (): Promise<NodeHealthRecord> => {
    const { data } = await relay.manage<{ data: readonly NodeHealthRecord[] }>('GET', '/nodes');
    const [only] = data;
    if (only === undefined) throw new Error('there is no node');
    return only;
  };
  const healthOf = async (model: string): Promise<string | undefined> =>
    (await record()).models.find(({ display_name: name }) => name === model)?.health;

  const speak = (call: FakeCall): void => {
    call.startStream();
    call.chunk({ role: 'assistant', content: 'hello' });
    call.finish();
  };
  const isFor = (call: FakeCall, model: string): boolean => call.body['model'] === model;
  /** The streams of one of the two models end without `finish_reason` and `[DONE]`. */
  const breakOne = (): void => {
    engine.respond = (call) => {
      if (!isFor(call, 'broken')) {
        speak(call);
        return;
      }
      call.startStream();
      call.chunk({ role: 'assistant', content: 'hel' });
      call.end();
    };
  };
  const makeSuspect = async (): Promise<void> => {
    breakOne();
    for (let failure = 0; failure < 3; failure += 1) expect(await cutTextOf(await ask('broken'))).toContain('"error"');
    expect(await healthOf('broken')).toBe('suspect');
  };

  it('prefills one prompt for a long time and serves others meanwhile', async () => {
    let long: FakeCall | undefined;
    engine.respond = (call) => {
      if (call.raw.includes('very long')) long = call;
      else speak(call);
    };
    const slow = ask('steady', 'very long');
    await eventually('the engine has the long prompt', () => long !== undefined);
    const untilMs = performance.now() + SILENT_MS;
    const statuses = new Set<number>();
    const states = new Set<string>();
    while (performance.now() < untilMs) {
      const response = await ask('steady');
      await response.text();
      statuses.add(response.status);
      states.add((await record()).health);
      await delay(100);
    }
    expect([[...statuses], [...states]]).toEqual([[200], ['healthy']]);
    if (long !== undefined) speak(long);
    expect(await (await slow).text()).toContain('[DONE]');
  }, 60_000);

  it('the only node of an account is silent, becomes suspect, and still receives requests', async () => {
    const held: FakeCall[] = [];
    engine.respond = (call) => void held.push(call);
    const first = ask('steady');
    await eventually('it stalls', async () => (await record()).health_reason === 'stalled', 20_000);
    const second = ask('steady');
    await eventually('both are at the engine', () => held.length === 2);
    for (const call of held) speak(call);
    for (const response of [await first, await second]) expect(await response.text()).toContain('[DONE]');
    expect((await record()).health).toBe('healthy');
  }, 60_000);

  it('the only node of an account has one model whose streams fail: the other is served, and the failing one again once it works', async () => {
    await makeSuspect();
    expect(await healthOf('steady')).toBe('healthy');
    const before = engine.calls.length;
    for (let round = 0; round < 5; round += 1) {
      const [steady, broken] = await Promise.all([ask('steady'), ask('broken')]);
      expect([steady.status, await steady.text()]).toEqual([200, expect.stringContaining('[DONE]')]);
      expect(broken.headers.get('x-ferry-reason')).toBeNull();
      expect(await cutTextOf(broken)).toContain('engine_error');
    }
    expect(engine.calls.length - before).toBe(10);
    engine.respond = speak;
    expect(await (await ask('broken')).text()).toContain('[DONE]');
    expect(await healthOf('broken')).toBe('healthy');
  }, 60_000);

  it('recovers without requests when its engine is restarted', async () => {
    await makeSuspect();
    const port = Number(new URL(engine.url).port);
    await engine.stop();
    await eventually('the relay knows', async () => (await record()).models.every(({ state }) => state !== 'loaded'));
    engine = await FakeEngine.start({ models: MODELS, port });
    await eventually('the models are back', async () =>
      (await node.status()).models.every((m) => m.state === 'loaded'),
    );
    expect((await record()).health).toBe('healthy');
    expect(engine.calls).toEqual([]);
    expect((await ask('broken')).status).toBe(200);
  }, 60_000);

  it('recovers without requests after a reconnect', async () => {
    await makeSuspect();
    node.process.child.kill('SIGKILL');
    await node.process.exited;
    await eventually('the relay noticed', async () => !(await node.status()).online);
    await node.run();
    expect((await record()).health).toBe('healthy');
  }, 60_000);
});
