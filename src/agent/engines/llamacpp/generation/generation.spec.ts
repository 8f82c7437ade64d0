import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '../../../../../test/support/clock/manual-clock.js';
import type { LlamaSequence, Token } from '../binding.js';
import { OutputParser } from '../output/output-parser.js';
import { BatchTurns } from './batch-turns.js';
import { Generation } from './generation.js';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const sampling = {
  temperature: 0,
  topK: 0,
  topP: 1,
  minP: 0,
  seed: 1,
  repetitionPenalty: 1,
  frequencyPenalty: 0,
  presencePenalty: 0,
};

/** A response of a sequence that counts from 1 and fails at `failing`, if given. */
function response({ maxTokens, failing }: { readonly maxTokens?: number; readonly failing?: Token } = {}) {
  const begun: Token[] = [];
  const evaluate: LlamaSequence['evaluate'] = async function* () {
    for (let token = 1; ; token += 1) {
      begun.push(token);
      await turn();
      if (token === failing) throw new Error('no logits');
      yield token;
    }
  };
  const sequence = { evaluate, nextTokenIndex: 0, contextSize: 1_000 } as unknown as LlamaSequence;
  const generation = new Generation({
    model: { detokenize: ([token]) => `${token} `, tokenize: () => [], isEogToken: () => false },
    place: { sequence, cachedTokens: 0, maxBatchTokens: 512, firstBatchTokens: undefined, turns: new BatchTurns() },
    prompt: [0],
    maxTokens,
    sampling,
    parser: () => new OutputParser({ startsInReasoning: false, stopTexts: [] }),
    specialOutput: false,
    grammars: {},
    reasoningEnd: undefined,
    signal: new AbortController().signal,
    clock: new ManualClock(),
  });
  return { steps: generation.run(), begun, generation };
}

describe('an answer of the built-in engine', () => {
  const unhandled: unknown[] = [];
  const onUnhandled = (reason: unknown): void => void unhandled.push(reason);

  beforeEach(() => {
    unhandled.length = 0;
    process.on('unhandledRejection', onUnhandled);
  });

  afterEach(() => {
    process.off('unhandledRejection', onUnhandled);
  });

  it('computes the next token while its consumer works on the last one, and no further', async () => {
    const { steps, begun } = response();
    await steps.next();
    expect(begun).toEqual([1, 2]);
    for (let turns = 0; turns < 5; turns += 1) await turn();
    expect(begun).toEqual([1, 2]);
    await steps.next();
    expect(begun).toEqual([1, 2, 3]);
    await steps.return();
  });

  it('computes nothing beyond the token limit', async () => {
    const { steps, begun } = response({ maxTokens: 2 });
    while ((await steps.next()).done !== true);
    expect(begun).toEqual([1, 2]);
  });

  it('an answer of the built-in engine does not count the token ahead when its consumer stops', async () => {
    const { steps, generation } = response();
    await steps.next();
    await steps.return();
    await generation.settled();
    expect(generation.usage.completionTokens).toBe(1);
  });

  it('fails at the next read when the token ahead failed, and not before', async () => {
    const { steps } = response({ failing: 2 });
    await expect(steps.next()).resolves.toMatchObject({ done: false });
    for (let turns = 0; turns < 5; turns += 1) await turn();
    expect(unhandled).toEqual([]);
    await expect(steps.next()).rejects.toThrow('no logits');
  });
});
