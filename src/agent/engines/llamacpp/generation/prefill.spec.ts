import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '../../../../../test/support/clock/manual-clock.js';
import type { LlamaSequence, Token } from '../binding.js';
import { prefill } from './prefill.js';

const tokens = (count: number): Token[] => Array.from({ length: count }, (_, index) => index);

/** A sequence that takes so many milliseconds per token, on a clock that only it moves. */
function slowSequence(msPerToken: number, onBatch?: () => void) {
  const batches: number[] = [];
  const evaluated: Token[] = [];
  const clock = new ManualClock();
  const sequence = {
    evaluateWithoutGeneratingNewTokens: (batch: readonly Token[]) => {
      batches.push(batch.length);
      evaluated.push(...batch);
      clock.advance(batch.length * msPerToken);
      onBatch?.();
      return Promise.resolve();
    },
  } as Pick<LlamaSequence, 'evaluateWithoutGeneratingNewTokens'> as LlamaSequence;
  return { sequence, clock, batches, evaluated };
}

const turn = (compute: () => Promise<void>): Promise<void> => compute();

describe('prefill', () => {
  it('evaluates all but the last batch, which the sampler starts from', async () => {
    const { sequence, clock, evaluated } = slowSequence(0.1);
    const prompt = tokens(5_000);
    const { signal } = new AbortController();
    const head = await prefill(sequence, prompt, { maxBatchTokens: 512, signal, clock, turn });
    expect([...evaluated, ...head]).toEqual(prompt);
    expect(head.length).toBeGreaterThan(0);
  });

  it('prefill does nothing for a short prompt', async () => {
    const { sequence, clock, batches } = slowSequence(1);
    const { signal } = new AbortController();
    expect(await prefill(sequence, tokens(10), { maxBatchTokens: 512, signal, clock, turn })).toEqual(tokens(10));
    expect(batches).toEqual([]);
  });

  it('uses full batches when they are quick, and small ones when they are slow', async () => {
    const { signal } = new AbortController();
    const quick = slowSequence(0.01);
    await prefill(quick.sequence, tokens(5_000), { maxBatchTokens: 512, signal, clock: quick.clock, turn });
    expect(quick.batches.slice(0, 5)).toEqual([64, 128, 256, 512, 512]);
    const slow = slowSequence(10);
    await prefill(slow.sequence, tokens(5_000), { maxBatchTokens: 512, signal, clock: slow.clock, turn });
    expect(Math.max(...slow.batches.slice(1)) * 10).toBeLessThan(1_000);
  });

  it('ends between two batches when it is aborted', async () => {
    const controller = new AbortController();
    const reason = new Error('gone');
    const { sequence, clock, batches } = slowSequence(1, () => {
      if (batches.length === 3) controller.abort(reason);
    });
    const work = prefill(sequence, tokens(100_000), { maxBatchTokens: 512, signal: controller.signal, clock, turn });
    await expect(work).rejects.toBe(reason);
    expect(batches).toHaveLength(3);
  });
});
