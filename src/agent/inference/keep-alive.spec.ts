import { describe, expect, it } from '@jest/globals';
import { chunk, set, settled } from '../../../test/support/agent/inference.harness.js';
import { assertResponseEvent, assertResponseStream } from '../../../test/support/client/openresponses-schema.js';
import type { EngineCall, EngineObject, TakeChunks } from '../engines/engine.js';

const MINUTE_MS = 60_000;
const question = '{"model":"public","input":"Hello"}';
const responses = { dialect: 'responses', response_id: 'resp_1', deadline_ms: 3_600_000 } as const;

/** An engine that says something when the test does. */
function silentEngine() {
  let give: TakeChunks | undefined;
  let finish: (() => void) | undefined;
  const bench = set(({ signal }: EngineCall) => ({
    kind: 'stream',
    chunks: {
      pipe: (take) =>
        new Promise<void>((resolve, reject) => {
          give = take;
          finish = resolve;
          signal.addEventListener('abort', () => {
            reject(signal.reason as Error);
          });
        }),
    },
  }));
  return {
    ...bench,
    say: (...batch: EngineObject[]) => give?.(batch),
    finish: () => finish?.(),
    running: () => settled(() => give !== undefined),
  };
}

const typesIn = (text: string): string[] =>
  [...text.matchAll(/^event: (.*)$/gm)].map(([, type]) => type ?? '').filter((type) => type !== '');

describe('a streamed response whose engine is silent', () => {
  it('is sent as created after a minute and as in progress every further minute, numbered without a gap', async () => {
    const { open, clock, say, finish, running } = silentEngine();
    const { stream } = open(responses, question);
    await running();
    clock.advance(MINUTE_MS - 1);
    expect(stream.log).toEqual(['ack']);
    clock.advance(1);
    expect(stream.headMessage).toMatchObject({ status: 200, awaiting_output: true });
    expect(typesIn(stream.text)).toEqual(['response.created', 'response.in_progress']);
    clock.advance(2 * MINUTE_MS);
    expect(typesIn(stream.text).slice(2)).toEqual(['response.in_progress', 'response.in_progress']);
    clock.advance(30_000);
    void say(chunk({ role: 'assistant', content: 'a' }), chunk({}, 'stop'));
    expect(clock.pendingTimers).toBe(0);
    clock.advance(10 * MINUTE_MS);
    finish();
    await settled(() => stream.ended !== undefined);
    const events = assertResponseStream(stream.text);
    for (const event of events) assertResponseEvent(event);
    expect(events.filter(({ type }) => type === 'response.created')).toHaveLength(1);
    expect(stream.log.filter((entry) => entry === 'head')).toHaveLength(1);
    expect(stream.ended).toMatchObject({ outcome: 'completed', timings: { first_event_ms: 3.5 * MINUTE_MS } });
  });

  it('gets no keep-alive when the engine begins in time', async () => {
    const { open, clock, say, finish, running } = silentEngine();
    const { stream } = open(responses, question);
    await running();
    clock.advance(MINUTE_MS - 1);
    void say(chunk({ content: 'a' }), chunk({}, 'stop'));
    finish();
    await settled(() => stream.ended !== undefined);
    expect(stream.headMessage).not.toHaveProperty('awaiting_output');
    expect(typesIn(stream.text).filter((type) => type === 'response.in_progress')).toHaveLength(1);
    expect(clock.pendingTimers).toBe(0);
  });

  it('ends as timed out when the engine stays silent for longer than the relay allows', async () => {
    const { open, clock, running, calls, gate } = silentEngine();
    const { stream } = open({ ...responses, first_output_ms: 150_000 }, question);
    await running();
    clock.advance(149_000);
    expect(stream.ended).toBeUndefined();
    clock.advance(1_000);
    await settled(() => stream.ended !== undefined);
    expect(stream.ended).toMatchObject({
      outcome: 'failed',
      failure: { code: 'engine_timeout' },
      timings: { first_event_ms: null },
    });
    expect(calls[0]?.signal.aborted).toBe(true);
    expect([gate.used, clock.pendingTimers]).toEqual([0, 0]);
  });

  it('waits for the credit of its keep-alive event before its first output', async () => {
    const { open, clock, say, finish, running } = silentEngine();
    const { stream } = open(responses, question);
    await running();
    stream.block = true;
    clock.advance(3 * MINUTE_MS);
    expect(stream.writes).toHaveLength(1);
    stream.block = false;
    const taken = say(chunk({ content: 'a' }), chunk({}, 'stop'));
    expect(stream.writes).toHaveLength(1);
    stream.blocked?.();
    await taken;
    finish();
    await settled(() => stream.ended !== undefined);
    assertResponseStream(stream.text);
  });

  it('leaves no timer behind when the client leaves', async () => {
    const { open, clock, running } = silentEngine();
    const { stream, handler } = open(responses, question);
    await running();
    clock.advance(2 * MINUTE_MS);
    stream.reset(handler);
    await settled(() => stream.ended !== undefined);
    expect(stream.ended?.outcome).toBe('cancelled');
    expect(clock.pendingTimers).toBe(0);
  });

  it('a streamed response whose engine is silent is left to the relay for other dialects and without streaming', async () => {
    const { open, clock, running } = silentEngine();
    open({ dialect: 'chat' });
    open({ ...responses, stream: false }, question);
    await running();
    expect(clock.pendingTimers).toBe(0);
  });
});
