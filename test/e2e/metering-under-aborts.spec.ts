/**
 * Clients that disconnect and engines that fail, at random moments: the usage that is metered as exact equals what the engine reported,
 * and with the built-in engine what llama.cpp sampled, within one token per cancelled request.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { below, seed, seeded } from '../faults/support/repetitions.js';
import { eventually } from '../support/clock/eventually.js';
import type { FakeCall, FakeEngine } from '../support/engine/fake-engine.js';
import {
  bodyOf,
  logOf,
  post,
  sum,
  usageBy,
  variants,
  type Dialect,
  type LoggedRequest,
} from '../support/client/metered-requests.js';
import { TestNode } from '../support/process/test-node.js';
import type { RelayClient } from '../support/process/relay-client.js';
import { shareRelay, shareRelayWithEngine } from '../support/process/shared-deployment.js';

const random = seeded(seed);
const TOKENS = ['input_tokens', 'cached_tokens', 'output_tokens', 'reasoning_tokens'] as const;
type Figures = Readonly<Record<(typeof TOKENS)[number], number>>;

const figuresOf = (request: Figures): Figures => ({
  input_tokens: request.input_tokens,
  cached_tokens: request.cached_tokens,
  output_tokens: request.output_tokens,
  reasoning_tokens: request.reasoning_tokens,
});

/** One client: reads to the end or disconnects after a while. @returns the outcome from its point of view */
async function client(result: (signal: AbortSignal) => Promise<Response>, leaveAfterMs: number | null) {
  const leaving = new AbortController();
  const timer = leaveAfterMs === null ? undefined : setTimeout(() => leaving.abort(), leaveAfterMs);
  try {
    const response = await result(leaving.signal);
    await response.text();
    return { left: false, status: response.status, id: response.headers.get('x-request-id') };
  } catch (error) {
    // A stream whose engine fails in the middle of an event is cut; a client that disconnected has no response.
    if (!leaving.signal.aborted && !(error instanceof TypeError)) throw error;
    return { left: leaving.signal.aborted, status: null, id: null };
  } finally {
    clearTimeout(timer);
  }
}

/** Runs up to `width` tasks at a time, in order. */
async function inParallel<Task>(
  tasks: readonly Task[],
  width: number,
  run: (task: Task) => Promise<void>,
): Promise<void> {
  const waiting = [...tasks];
  const lanes = Array.from({ length: width }, async () => {
    for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) await run(task);
  });
  await Promise.all(lanes);
}

/**
 * All usage has been metered: a disconnected node confirms no more cancelled requests, and the last one is written
 * last. Excludes requests of clients that disconnected before the relay had read them.
 */
async function everythingMetered(relay: RelayClient, node: TestNode): Promise<readonly LoggedRequest[]> {
  await node.process.stop();
  await eventually('the relay knows that the node has left', async () => !(await node.status()).online);
  const last = await post(relay, 'chat', bodyOf('chat', 'the last one', { model: 'nobody-has-this' }));
  expect(last.status).toBe(503);
  const id = last.headers.get('x-request-id');
  return eventually('the last request is metered', async () => {
    const log = await logOf(relay, 1);
    return log.some((request) => request.id === id) ? log.filter((request) => request.id !== id) : undefined;
  });
}

/** What an engine does with one call. */
const behaviours = ['answers', 'refuses', 'breaks', 'breaks before any output', 'hangs'] as const;

/** One call from the engine's point of view. `input_tokens` is unique, so that a metered request identifies its call. */
interface EngineCall {
  readonly behaviour: (typeof behaviours)[number];
  readonly reported: Figures[];
}

describe('an engine that reports usage during the stream', () => {
  const ROUNDS = 16;
  let relay: RelayClient;
  let node: TestNode;
  let engine: FakeEngine;
  const calls = new Map<number, EngineCall>();
  let onlyBehaviour: (typeof behaviours)[number] | null = null;

  shareRelayWithEngine({ slots: 8, routes: ['chat', 'completions'] }, (started) => {
    ({ relay, engine, node } = started);
    engine.respond = response;
  });

  /** The usage after one more event, in the engine's format. */
  function tell(input: number): object {
    const reported = calls.get(input)?.reported ?? [];
    const events = reported.length + 1;
    const next = { input_tokens: input, cached_tokens: input % 7, output_tokens: events * 3, reasoning_tokens: events };
    reported.push(next);
    return {
      prompt_tokens: next.input_tokens,
      completion_tokens: next.output_tokens,
      total_tokens: next.input_tokens + next.output_tokens,
      prompt_tokens_details: { cached_tokens: next.cached_tokens },
      completion_tokens_details: { reasoning_tokens: next.reasoning_tokens },
    };
  }

  async function response(call: FakeCall): Promise<void> {
    const input = 1_000 + calls.size;
    const behaviour = onlyBehaviour ?? behaviours[below(random, behaviours.length)] ?? 'answers';
    calls.set(input, { behaviour, reported: [] });
    const chat = call.url.endsWith('/chat/completions');
    const base = { id: 'cmpl-1', created: 1_700_000_000, model: 'fake' };
    if (behaviour === 'hangs') return;
    if (behaviour === 'refuses') {
      call.json(500, { error: { message: 'out of memory' } });
      return;
    }
    await delay(below(random, 30));
    if (!call.streaming) {
      const reported = chat ? { message: { role: 'assistant', content: 'words' } } : { text: 'words' };
      const object = chat ? 'chat.completion' : 'text_completion';
      if (behaviour !== 'answers') call.destroy();
      else if (!call.over)
        call.json(200, {
          ...base,
          object,
          choices: [{ index: 0, ...reported, finish_reason: 'stop' }],
          usage: tell(input),
        });
      return;
    }
    const object = chat ? 'chat.completion.chunk' : 'text_completion';
    const event = (text: string, finish_reason: string | null): void => {
      const reported = chat ? { delta: text === '' ? { role: 'assistant' } : { content: text } } : { text };
      if (!call.over)
        call.event({ ...base, object, choices: [{ index: 0, ...reported, finish_reason }], usage: tell(input) });
    };
    call.startStream();
    event('', null);
    if (behaviour !== 'breaks before any output') {
      for (let events = below(random, 12); events >= 0 && !call.over; events -= 1) {
        event('word ', null);
        await delay(below(random, 8));
      }
    }
    if (behaviour !== 'answers') {
      call.event({ error: { message: 'the engine broke', type: 'server_error' } });
      call.end();
      return;
    }
    event('', 'stop');
    call.event('[DONE]');
    call.end();
  }

  it.each(['breaks', 'breaks before any output'] as const)(
    'an engine that reports usage during the stream is metered with the last reported usage when it %s',
    async (how) => {
      onlyBehaviour = how;
      for (const { dialect } of variants.filter(({ stream }) => stream)) {
        const response = await post(relay, dialect, bodyOf(dialect, 'a question', { model: 'fake', stream: true }));
        // Cut on chat and completions.
        await response.text().catch(() => undefined);
        const [newest] = await logOf(relay, calls.size);
        expect([dialect, newest]).toEqual([dialect, expect.objectContaining({ outcome: 'failed', source: 'engine' })]);
        expect(newest).toMatchObject({ ...[...calls.values()].at(-1)?.reported.at(-1) });
      }
      onlyBehaviour = null;
    },
  );

  it('an engine that reports usage during the stream is metered exactly in every dialect, with and without streaming', async () => {
    const tasks = Array.from({ length: ROUNDS }, () => variants).flat();
    const responded: string[] = [];
    await inParallel(tasks, 8, async ({ dialect, stream }) => {
      // Leaves time for clients that wait for an engine that hangs.
      const leaveAfterMs = below(random, 2) === 0 ? below(random, 80) : 1_500;
      const body = bodyOf(dialect, 'a question', { model: 'fake', stream });
      const { status, id } = await client((signal) => post(relay, dialect, body, signal), leaveAfterMs);
      if (status === 200 && id !== null) responded.push(id);
    });

    const log = await everythingMetered(relay, node);
    expect([seed, responded.filter((id) => !log.some((request) => request.id === id))]).toEqual([seed, []]);
    expect([seed, log.length >= calls.size]).toEqual([seed, true]);
    const ofEngine = log.filter(({ source }) => source === 'engine');
    for (const request of ofEngine) {
      const reported = calls.get(request.input_tokens)?.reported ?? [];
      expect([seed, request.outcome, reported]).toEqual([
        seed,
        request.outcome,
        expect.arrayContaining([figuresOf(request)]),
      ]);
      // Only a cancelled node may have missed the engine's last report.
      if (request.outcome !== 'cancelled') expect([seed, figuresOf(request)]).toEqual([seed, reported.at(-1)]);
    }
    // Each call at most once, and no usage from elsewhere.
    expect(new Set(ofEngine.map(({ input_tokens }) => input_tokens)).size).toBe(ofEngine.length);
    for (const request of log) {
      if (request.outcome === 'completed') expect([seed, request.source]).toEqual([seed, 'engine']);
      if (request.source !== 'engine') expect([seed, request.input_tokens]).toEqual([seed, 0]);
    }
    for (const name of ['completed', 'failed', 'cancelled']) {
      expect([seed, name, log.some(({ outcome }) => outcome === name)]).toEqual([seed, name, true]);
    }
  }, 120_000);

  it('an engine that reports usage during the stream has the same sums in the roll-ups', async () => {
    const log = await logOf(relay, 1);
    for (const by of ['model', 'node', 'key', 'dialect']) {
      const { totals } = await usageBy(relay, by);
      for (const name of TOKENS) expect([by, name, totals[name]]).toEqual([by, name, sum(log.map((one) => one[name]))]);
    }
  });
});

describe('the built-in engine', () => {
  const ROUNDS = 6;
  let folder: string;
  let relay: RelayClient;
  let node: TestNode;

  shareRelay((tenant) => (relay = tenant));

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'ferry-token-log-'));
    const preload = pathToFileURL(path.join(import.meta.dirname, '../support/engine/token-log.mjs')).href;
    node = await TestNode.start(relay, {
      // A context that a prompt can exceed within a test; the model's own has 131,072 tokens.
      engines: [{ kind: 'llamacpp', load: ['tiny'], context_tokens: 8_192 }],
      env: { NODE_OPTIONS: `--import=${preload}`, TOKEN_LOG: path.join(folder, 'tokens.log') },
    });
  }, 60_000);

  afterAll(async () => {
    await node.stop();
    await rm(folder, { recursive: true, force: true });
  }, 30_000);

  const sampled = async (): Promise<readonly { readonly input: number; readonly output: number }[]> =>
    (await readFile(path.join(folder, 'tokens.log'), 'utf8').catch(() => ''))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { input: number; output: number });

  const limitOf = (dialect: Dialect): object =>
    dialect === 'responses' ? { max_output_tokens: 120 } : { max_tokens: 120 };

  /** Prompts of different lengths, so that a request identifies its samples. */
  const questionOf = (index: number): string => `${'again '.repeat(index)}Count to 100.`;

  it('the built-in engine is metered within one token per stopped request of what llama.cpp sampled', async () => {
    const tasks = Array.from({ length: ROUNDS }, () => variants)
      .flat()
      .map((variant, index) => ({ ...variant, index }));
    let refused = 0;
    await inParallel(tasks, 3, async ({ dialect, stream, index }) => {
      // Every fifth is refused by the engine, because it exceeds the context.
      const tooLong = index % 5 === 4;
      if (tooLong) refused += 1;
      const text = tooLong ? 'word '.repeat(20_000) : questionOf(index);
      const body = bodyOf(dialect, text, { model: 'tiny', temperature: 0, stream, ...limitOf(dialect) });
      const leaveAfterMs = below(random, 3) === 0 ? null : below(random, 150);
      await client((signal) => post(relay, dialect, body, signal), leaveAfterMs);
    });

    const log = await everythingMetered(relay, node);
    const stopped = log.filter(({ outcome }) => outcome === 'cancelled');
    const ran = log.filter(({ output_tokens }) => output_tokens > 0);
    expect([seed, ran.every(({ source }) => source === 'engine')]).toEqual([seed, true]);
    const samples = await sampled();
    const metered = sum(log.map(({ output_tokens }) => output_tokens));
    const really = sum(samples.map(({ output }) => output));
    expect([seed, really - metered >= 0, really - metered <= stopped.length]).toEqual([seed, true, true]);
    const outputs = (requests: readonly LoggedRequest[], input: number): number =>
      sum(requests.filter(({ input_tokens }) => input_tokens === input).map(({ output_tokens }) => output_tokens));
    for (const input of new Set(samples.map((line) => line.input))) {
      const lines = samples.filter((line) => line.input === input);
      const free = stopped.filter(({ input_tokens }) => input_tokens === input).length;
      const difference = sum(lines.map(({ output }) => output)) - outputs(log, input);
      expect([seed, input, difference >= 0, difference <= free]).toEqual([seed, input, true, true]);
    }
    expect([seed, stopped.length > 0, refused > 0]).toEqual([seed, true, true]);
    expect(log.filter(({ outcome, output_tokens }) => outcome === 'failed' && output_tokens > 0)).toEqual([]);
  }, 180_000);
});
