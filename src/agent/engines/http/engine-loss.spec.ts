import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { EngineHarness } from '../../../../test/support/engine/engine.harness.js';
import { eventually } from '../../../../test/support/clock/eventually.js';
import type { OpenAiCompatibleEngine } from '../openai-compatible/openai-compatible-engine.js';

/** No poll within a test: what is noticed is noticed for another reason. */
const NEVER_MS = 600_000;

let harness: EngineHarness;
beforeEach(() => {
  harness = new EngineHarness();
});
afterEach(() => harness.close());

const isReported = (engine: OpenAiCompatibleEngine, condition: string): Promise<unknown> =>
  eventually(`the engine is ${condition}`, () => engine.condition.is === condition);

describe('an engine that exits', () => {
  it('an engine that exits during a stream is reported at once, not at the next poll', async () => {
    const fake = await harness.fake();
    fake.respond = (call) => {
      call.startStream();
      call.chunk({ content: 'a' });
    };
    const engine = harness.engineAt(fake.url, { pollMs: NEVER_MS });
    await engine.start();
    const { signal } = new AbortController();
    const body = Buffer.from('{"model":"public","messages":[]}');
    const response = await engine.run({ route: 'chat', engineModel: 'fake', body, stream: true, signal });
    if (response.kind !== 'stream') throw new Error('not a stream');
    const reading = response.chunks.pipe(() => fake.stop());
    await expect(reading).rejects.toMatchObject({ failure: { code: 'engine_error' } });
    await isReported(engine, 'unreachable');
    expect(engine.condition).toEqual({ is: 'unreachable', problem: 'cannot be reached' });
  });

  it('while idle is reported when it closes the kept-alive connection', async () => {
    const fake = await harness.fake();
    const engine = harness.engineAt(fake.url, { pollMs: NEVER_MS });
    await engine.start();
    expect(engine.condition).toEqual({ is: 'answering' });
    await delay(100);
    await fake.stop();
    await isReported(engine, 'unreachable');
  });

  it('an engine that exits is polled every second until it is back, whatever the poll interval', async () => {
    const fake = await harness.fake();
    const { url } = fake;
    await fake.stop();
    const engine = harness.engineAt(url, { pollMs: NEVER_MS });
    await engine.start();
    expect(engine.condition).toEqual({ is: 'unreachable', problem: 'cannot be reached' });
    await harness.fake({ port: Number(new URL(url).port) });
    await isReported(engine, 'answering');
  });
});

it('an engine that closes its connection after each answer is not polled in a loop', async () => {
  let looks = 0;
  const url = await harness.serve((_request, response) => {
    looks += 1;
    response.writeHead(200, { 'content-type': 'application/json', connection: 'close' });
    response.end('{"object":"list","data":[{"id":"a"}]}');
  });
  await harness.engineAt(url, { pollMs: NEVER_MS }).start();
  const first = looks;
  await delay(1_500);
  expect(looks).toBe(first);
});
