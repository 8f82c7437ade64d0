import { describe, expect, it } from '@jest/globals';
import type { LlamaContext, LlamaSequence, Token } from '../binding.js';
import { LongContexts } from './long-contexts.js';

const SHARED = 1_024;
const BYTES_PER_TOKEN = 1;

class FakeMemory {
  readonly made: number[] = [];
  private used = 0;
  constructor(private readonly bytes: number) {}
  readonly freeBytes = (): number => this.bytes - this.used;
  readonly bytesFor = (tokens: number): Promise<number> => Promise.resolve(tokens * BYTES_PER_TOKEN);
  readonly create = (contextSize: number): Promise<LlamaContext> => {
    this.made.push(contextSize);
    this.used += contextSize;
    let state: readonly Token[] = [];
    const sequence = {
      contextSize,
      needsCheckpoints: false,
      get nextTokenIndex() {
        return state.length;
      },
      compareContextTokens: (tokens: readonly Token[]) => ({
        firstDifferentIndex: tokens.findIndex((token, index) => token !== state[index]),
      }),
      clearHistory: () => Promise.resolve(),
      evaluateWithoutGeneratingNewTokens: (tokens: readonly Token[]) => {
        state = [...state, ...tokens];
        return Promise.resolve();
      },
    } as unknown as LlamaSequence;
    return Promise.resolve({
      contextSize,
      batchSize: 128,
      getSequence: () => sequence,
      dispose: () => {
        this.used -= contextSize;
        return Promise.resolve();
      },
    });
  };
}

const contextsIn = (memory: FakeMemory, limit = 4, idleMs?: number): Promise<LongContexts> =>
  LongContexts.of({
    sharedTokens: SHARED,
    trainTokens: 16_384,
    limit,
    bytesFor: memory.bytesFor,
    freeBytes: memory.freeBytes,
    create: memory.create,
    ...(idleMs !== undefined && { idleMs }),
  });

const { signal } = new AbortController();
const prompt = (length: number, first = 1): Token[] => Array.from({ length }, (_, index) => first + index);

describe('long contexts', () => {
  it('tell what the model was trained for where the memory is enough, and take none before they are needed', async () => {
    const memory = new FakeMemory(100_000);
    expect((await contextsIn(memory)).largestTokens).toBe(16_384);
    expect(memory.made).toEqual([]);
  });

  it('tell what fits into the memory where that is less, with what the rest of the computer keeps', async () => {
    const { largestTokens } = await contextsIn(new FakeMemory(10_000));
    expect(largestTokens).toBeLessThanOrEqual(10_000 / 1.1);
    expect(largestTokens).toBeGreaterThan(10_000 / 1.1 - 257);
  });

  it('tell the shared context where the memory is short', async () => {
    expect((await contextsIn(new FakeMemory(500))).largestTokens).toBe(SHARED);
  });

  it('are as long as the prompt needs, with room for the conversation to grow', async () => {
    const memory = new FakeMemory(100_000);
    const contexts = await contextsIn(memory);
    const lease = await contexts.acquire(prompt(3_000), 3_000, signal);
    expect(memory.made).toEqual([4_096]);
    lease.release(true);
    (await contexts.acquire(prompt(3_500), 3_500, signal)).release(true);
    await contexts.dispose();
    expect(memory.freeBytes()).toBe(100_000);
  });

  it('go on with what a conversation has in memory, and give that up when it has outgrown it', async () => {
    const memory = new FakeMemory(100_000);
    const contexts = await contextsIn(memory);
    const first = await contexts.acquire(prompt(3_000), 3_000, signal);
    await first.sequence.evaluateWithoutGeneratingNewTokens(prompt(3_000));
    first.release(true);
    const second = await contexts.acquire(prompt(3_500), 3_500, signal);
    expect(second.sequence).toBe(first.sequence);
    second.release(true);
    const third = await contexts.acquire(prompt(5_000), 5_000, signal);
    expect(memory.made).toEqual([4_096, 8_192]);
    expect(memory.freeBytes()).toBe(100_000 - 8_192);
    third.release(true);
  });

  it('take the memory of those that are idle, and else wait for one that is not', async () => {
    const memory = new FakeMemory(10_000);
    const contexts = await contextsIn(memory);
    const first = await contexts.acquire(prompt(8_000), 8_000, signal);
    let second: Awaited<ReturnType<LongContexts['acquire']>> | undefined;
    const waiting = contexts.acquire(prompt(7_000, 50_000), 7_000, signal).then((lease) => (second = lease));
    await new Promise(setImmediate);
    expect(second).toBeUndefined();
    first.release(true);
    (await waiting).release(true);
    (await contexts.acquire(prompt(8_500, 90_000), 8_500, signal)).release(true);
    await contexts.dispose();
    expect(memory.freeBytes()).toBe(10_000);
  });

  it('refuse what does not fit into the memory that is left, with what would', async () => {
    const memory = new FakeMemory(10_000);
    const contexts = await contextsIn(memory);
    const others = await memory.create(5_000);
    await expect(contexts.acquire(prompt(8_000), 8_000, signal)).rejects.toMatchObject({
      failure: { context_overflow: { prompt_tokens: 8_000, context_tokens: 4_352 } },
    });
    expect(contexts.largestTokens).toBe(4_352);
    await others.dispose();
    await contexts.measure();
    expect(contexts.largestTokens).toBeGreaterThan(8_000);
    (await contexts.acquire(prompt(8_000), 8_000, signal)).release(true);
  });

  it('give their memory back when nobody has gone on for a while', async () => {
    const memory = new FakeMemory(100_000);
    const contexts = await contextsIn(memory, 4, 5);
    (await contexts.acquire(prompt(3_000), 3_000, signal)).release(true);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(memory.freeBytes()).toBe(100_000);
  });

  it('end with the reason of an abort while they wait', async () => {
    const contexts = await contextsIn(new FakeMemory(10_000));
    await contexts.acquire(prompt(8_000), 8_000, signal);
    const leaving = new AbortController();
    const waiting = contexts.acquire(prompt(7_000, 50_000), 7_000, leaving.signal);
    await new Promise(setImmediate);
    leaving.abort(new Error('client gone'));
    await expect(waiting).rejects.toThrow('client gone');
  });

  it('let nobody begin once they are closed, also not who waits', async () => {
    const contexts = await contextsIn(new FakeMemory(10_000));
    await contexts.acquire(prompt(8_000), 8_000, signal);
    const waiting = contexts.acquire(prompt(7_000, 50_000), 7_000, signal);
    await new Promise(setImmediate);
    contexts.close();
    await expect(waiting).rejects.toMatchObject({ failure: { param: 'model' } });
  });
});
