import { describe, expect, it } from '@jest/globals';
import type { LlamaContext, LlamaSequence, Token } from '../binding.js';
import { LongContexts } from './long-contexts.js';

const SHARED = 1_024;
const BYTES_PER_TOKEN = 1;

class FakeMemory {
  readonly made: number[] = [];
  private used = 0;
  constructor(private readonly bytes: number) {}
  get freeBytes(): number {
    return this.bytes - this.used;
  }
  readonly freeMemory = () => Promise.resolve({ ram: this.freeBytes, vram: 0, unified: false });
  readonly memoryFor = (tokens: number) => Promise.resolve({ ram: tokens * BYTES_PER_TOKEN, vram: 0 });
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
      memoryUsage: { ram: contextSize, vram: 0 },
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
    memoryFor: memory.memoryFor,
    freeMemory: memory.freeMemory,
    create: memory.create,
    ...(idleMs !== undefined && { idleMs }),
  });

const { signal } = new AbortController();
const prompt = (length: number, first = 1): Token[] => Array.from({ length }, (_, index) => first + index);

describe('long contexts', () => {
  it('long contexts report the trained length when memory suffices, and allocate on demand', async () => {
    const memory = new FakeMemory(100_000);
    expect((await contextsIn(memory)).largestTokens).toBe(16_384);
    expect(memory.made).toEqual([]);
  });

  it('long contexts report the length that fits into memory, minus a reserve for the computer', async () => {
    const { largestTokens } = await contextsIn(new FakeMemory(10_000));
    expect(largestTokens).toBeLessThanOrEqual(10_000 / 1.1);
    expect(largestTokens).toBeGreaterThan(10_000 / 1.1 - 257);
  });

  it('long contexts report the shared context when memory is short', async () => {
    expect((await contextsIn(new FakeMemory(500))).largestTokens).toBe(SHARED);
  });

  it('long contexts are sized for the prompt, with room to grow', async () => {
    const memory = new FakeMemory(100_000);
    const contexts = await contextsIn(memory);
    const lease = await contexts.acquire(prompt(3_000), 3_000, signal);
    expect(memory.made).toEqual([4_096]);
    lease.release(true);
    (await contexts.acquire(prompt(3_500), 3_500, signal)).release(true);
    await contexts.dispose();
    expect(memory.freeBytes).toBe(100_000);
  });

  it('long contexts reuse the state of a conversation, and drop it when outgrown', async () => {
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
    expect(memory.freeBytes).toBe(100_000 - 8_192);
    third.release(true);
  });

  it('evict idle contexts, else wait for a busy one', async () => {
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
    expect(memory.freeBytes).toBe(10_000);
  });

  it('long contexts refuse a prompt beyond the free memory, stating the possible length', async () => {
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

  it('release their memory after an idle time', async () => {
    const memory = new FakeMemory(100_000);
    const contexts = await contextsIn(memory, 4, 5);
    (await contexts.acquire(prompt(3_000), 3_000, signal)).release(true);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(memory.freeBytes).toBe(100_000);
  });

  it('long contexts fail with the abort reason while waiting', async () => {
    const contexts = await contextsIn(new FakeMemory(10_000));
    await contexts.acquire(prompt(8_000), 8_000, signal);
    const leaving = new AbortController();
    const waiting = contexts.acquire(prompt(7_000, 50_000), 7_000, leaving.signal);
    await new Promise(setImmediate);
    leaving.abort(new Error('client gone'));
    await expect(waiting).rejects.toThrow('client gone');
  });

  it('long contexts accept no request once closed, including waiting ones', async () => {
    const contexts = await contextsIn(new FakeMemory(10_000));
    await contexts.acquire(prompt(8_000), 8_000, signal);
    const waiting = contexts.acquire(prompt(7_000, 50_000), 7_000, signal);
    await new Promise(setImmediate);
    contexts.close();
    await expect(waiting).rejects.toMatchObject({ failure: { param: 'model' } });
  });
});
