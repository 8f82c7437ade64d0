/** What a run that is stopped has used, by the engine's own count. */
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ask, TinyEngine } from '../../../../test/support/engine/tiny-engine.js';
import type { EngineResponse, UsageReport } from '../engine.js';
import { batchesOf } from '../../../../test/support/engine/response-batches.js';

jest.setTimeout(60_000);

describe('a stopped run of the built-in engine', () => {
  let tiny: TinyEngine;

  beforeAll(async () => {
    tiny = await TinyEngine.start();
  });

  afterAll(async () => {
    await tiny.stop();
  });

  const begin = (stream: boolean) => {
    const stopping = new AbortController();
    let usage: (() => UsageReport | null) | undefined;
    const body = JSON.stringify({ model: 'tiny', messages: ask('Count from 1 to 100'), stream });
    const answer = tiny.engine.run({
      route: 'chat',
      engineModel: 'tiny',
      body: Buffer.from(body),
      stream,
      signal: stopping.signal,
      onMeter: (usageSoFar) => {
        usage = usageSoFar;
      },
    });
    return { stopping, answer, usage: () => usage?.() ?? null };
  };

  it.each([1, 2, 5, 12])('counts its tokens after %i text events, within one', async (events) => {
    const { stopping, answer, usage } = begin(true);
    const streamed: EngineResponse = await answer;
    if (streamed.kind !== 'stream') throw new Error('a stream was asked for');
    let texts = 0;
    const reading = async (): Promise<void> => {
      for await (const batch of batchesOf(streamed.chunks)) {
        for (const { choices } of batch) {
          const [choice] = choices as { delta: { content?: string } }[];
          if (choice?.delta.content !== undefined && choice.delta.content !== '') texts += 1;
        }
        if (texts >= events) stopping.abort(new Error('the client left'));
      }
    };
    await expect(reading()).rejects.toThrow('the client left');
    expect(Math.abs((usage()?.output_tokens ?? 0) - texts)).toBeLessThanOrEqual(1);
    expect(usage()).toMatchObject({ source: 'engine', reasoning_tokens: 0 });
    expect(usage()?.input_tokens).toBeGreaterThan(5);
  });

  it('counts its tokens also without streaming', async () => {
    const { stopping, answer, usage } = begin(false);
    const failing = expect(answer).rejects.toThrow('the client left');
    while ((usage()?.output_tokens ?? 0) < 3) await new Promise(setImmediate);
    stopping.abort(new Error('the client left'));
    await failing;
    expect(usage()?.output_tokens).toBeGreaterThanOrEqual(3);
  });
});
