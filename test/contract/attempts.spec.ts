// Own relay: its settings refuse a waiting request after 100 ms.
/** Retries of the official clients with their defaults: a failed request is retried as expected, and a prompt that ran never is. */
import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { createCredential } from '../../src/kernel/credential.js';
import { eventually } from '../support/clock/eventually.js';
import { FakeEngine } from '../support/engine/fake-engine.js';
import { TestNode } from '../support/process/test-node.js';
import { TestRelay } from '../support/process/test-relay.js';

const hello = [{ role: 'user' as const, content: 'hi' }];

describe('attempts of the official clients with their default retries', () => {
  let relay: TestRelay;
  let engine: FakeEngine;
  let node: TestNode | undefined;

  beforeAll(async () => {
    relay = await TestRelay.start({ env: { FERRY_QUEUE_TIMEOUT_MS: '100' } });
    engine = await FakeEngine.start();
  }, 60_000);

  afterAll(async () => {
    await node?.stop();
    await engine.stop();
    await relay.stop();
  }, 30_000);

  const openai = (apiKey = relay.apiKey): OpenAI => new OpenAI({ apiKey, baseURL: `${relay.baseUrl}/v1` });
  const anthropic = (authToken = relay.apiKey): Anthropic =>
    new Anthropic({ authToken, apiKey: null, baseURL: relay.baseUrl });

  const chat = (client: OpenAI): Promise<unknown> => client.chat.completions.create({ model: 'fake', messages: hello });
  const respond = (client: OpenAI): Promise<unknown> => client.responses.create({ model: 'fake', input: 'hi' });
  const message = (client: Anthropic): Promise<unknown> =>
    client.messages.create({ model: 'fake', max_tokens: 5, messages: hello });

  /** Of each, at the same time: one client waits for seconds between its attempts. */
  const calls: readonly [route: string, call: () => Promise<unknown>][] = [
    ['/v1/chat/completions', () => chat(openai())],
    ['/v1/responses', () => respond(openai())],
    ['/v1/messages', () => message(anthropic())],
  ];

  /** The log is ordered: once it contains a request sent after all others, it contains all others. */
  const logIsComplete = async (): Promise<void> => {
    const listed = linesOf(relay, '/v1/models');
    await relay.fetch('/v1/models');
    await eventually('the log is written', () => linesOf(relay, '/v1/models') > listed);
  };

  interface Attempts {
    /** Lines of its route in the relay's log. */
    readonly attempts: number;
    readonly status: unknown;
    /** Until the client gave up. */
    readonly tookMs: number;
  }

  const failureOf = async (call: () => Promise<unknown>): Promise<Omit<Attempts, 'attempts'>> => {
    const since = performance.now();
    const error = await call().then(
      () => undefined,
      (reason: unknown) => reason as { status?: unknown },
    );
    return { status: error?.status, tookMs: performance.now() - since };
  };

  /** Sends to several routes at once. */
  const attemptsOf = async (sent: typeof calls): Promise<readonly Attempts[]> => {
    await logIsComplete();
    const before = sent.map(([route]) => linesOf(relay, route));
    const failures = await Promise.all(sent.map(([, call]) => failureOf(call)));
    await logIsComplete();
    return failures.map((failure, index) => {
      const [route = ''] = sent[index] ?? [];
      return { ...failure, attempts: linesOf(relay, route) - (before[index] ?? 0) };
    });
  };

  it('401: one', async () => {
    const unknown = createCredential('api-key').text;
    const responses = await attemptsOf([
      ['/v1/chat/completions', () => chat(openai(unknown))],
      ['/v1/messages', () => message(anthropic(unknown))],
    ]);
    expect(responses).toMatchObject([
      { attempts: 1, status: 401 },
      { attempts: 1, status: 401 },
    ]);
  });

  it('no node for user: three, within Retry-After', async () => {
    for (const { attempts, status, tookMs } of await attemptsOf(calls)) {
      expect({ attempts, status }).toEqual({ attempts: 3, status: 503 });
      expect(tookMs).toBeGreaterThan(5_500);
    }
  }, 60_000);

  describe('with a node', () => {
    beforeAll(async () => {
      node = await TestNode.start(relay, { engines: [{ kind: 'openai-compatible', base_url: engine.url, slots: 1 }] });
    }, 60_000);

    it('429: three, with Retry-After honoured', async () => {
      const arrived = engine.nextCall();
      engine.respond = () => undefined;
      const holder = new AbortController();
      relay.chat({ model: 'fake', messages: hello }, { signal: holder.signal }).catch(() => undefined);
      await arrived;
      const asked = calls.filter(([route]) => route !== '/v1/responses');
      for (const { attempts, status, tookMs } of await attemptsOf(asked)) {
        expect({ attempts, status }).toEqual({ attempts: 3, status: 429 });
        expect(tookMs).toBeGreaterThan(2_000);
      }
      holder.abort();
    }, 60_000);

    it('503 after a node accepted the prompt: one, and the engine ran once', async () => {
      engine.respond = (call) => call.json(500, { error: { message: 'out of memory', type: 'server_error' } });
      await eventually('the slot is free again', async () => {
        const response = await relay.chat({ model: 'fake', messages: hello });
        return (await response.text()).includes('out of memory');
      });
      // One after the other: the node has one slot.
      for (const call of calls) {
        const runs = engine.calls.length;
        expect(await attemptsOf([call])).toMatchObject([{ attempts: 1, status: 503 }]);
        expect(engine.calls.length - runs).toBe(1);
      }
    }, 60_000);
  });
});

const linesOf = (relay: TestRelay, route: string): number =>
  relay.process.stderr.split('\n').filter((line) => line.includes(`"route":"${route}"`)).length;
