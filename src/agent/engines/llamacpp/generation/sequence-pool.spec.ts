import { describe, expect, it, jest } from '@jest/globals';
import type { LlamaContext, LlamaSequence, Token } from '../binding.js';
import { SequencePool } from './sequence-pool.js';

class FakeSequence {
  state: Token[] = [];
  needsCheckpoints = false;
  disposed = false;
  /** As node-llama-cpp calls it. */
  readonly _sequenceId: number;
  constructor(readonly number: number) {
    this._sequenceId = number;
  }
  get nextTokenIndex(): number {
    return this.state.length;
  }
  compareContextTokens(tokens: readonly Token[]) {
    let firstDifferentIndex = 0;
    while (firstDifferentIndex < this.state.length && this.state[firstDifferentIndex] === tokens[firstDifferentIndex])
      firstDifferentIndex += 1;
    return { firstDifferentIndex };
  }
  eraseContextTokenRanges([range]: readonly { start: number; end: number }[]) {
    this.state = this.state.slice(0, range?.start);
    return Promise.resolve();
  }
  clearHistory() {
    this.state = [];
    return Promise.resolve();
  }
  dispose() {
    this.disposed = true;
    return Promise.resolve();
  }
}

function poolOf(size: number) {
  const made: FakeSequence[] = [];
  const context = {
    getSequence: () => {
      const sequence = new FakeSequence(made.length);
      made.push(sequence);
      return sequence as unknown as LlamaSequence;
    },
  } as LlamaContext;
  return { pool: new SequencePool(context, size), made };
}

const { signal } = new AbortController();
const run = async (pool: SequencePool, prompt: Token[]) => {
  const lease = await pool.acquire(prompt, signal);
  const cached = await lease.rewind(prompt);
  const sequence = lease.sequence as unknown as FakeSequence;
  sequence.state = prompt;
  return { lease, cached, number: sequence.number };
};

describe('sequence pool', () => {
  it('continues the state with the longest common prefix, but never the whole prompt', async () => {
    const { pool } = poolOf(3);
    const first = await run(pool, [1, 2, 3, 4]);
    const second = await run(pool, [9, 8, 7]);
    first.lease.release(true);
    second.lease.release(true);
    const third = await run(pool, [1, 2, 3, 4, 5, 6]);
    expect(third).toMatchObject({ number: first.number, cached: 4 });
    third.lease.release(true);
    expect(await run(pool, [1, 2, 3, 4, 5, 6])).toMatchObject({ number: first.number, cached: 5 });
  });

  it('gives an unrelated prompt the state idle for longest', async () => {
    const { pool } = poolOf(2);
    const old = await run(pool, [1, 2, 3]);
    const young = await run(pool, [4, 5, 6]);
    old.lease.release(true);
    young.lease.release(true);
    expect(await run(pool, [7, 8])).toMatchObject({ number: old.number, cached: 0 });
  });

  it('gives an unrelated prompt a neighbour of a sequence that computes, so that they are computed together', async () => {
    const { pool } = poolOf(6);
    const leases = [];
    for (let index = 0; index < 6; index++) leases.push(await run(pool, [index * 10, 1, 2]));
    // Number 3 goes on; 0 is idle for longest.
    for (const { lease, number } of leases) if (number !== 3) lease.release(true);
    const second = await run(pool, [7, 8]);
    expect(second.number).toBe(2);
    const third = await run(pool, [8, 9]);
    expect(third.number).toBe(1);
    second.lease.release(true);
    third.lease.release(true);
    leases[3]?.lease.release(true);
    expect((await run(pool, [9, 9])).number).toBe(0);
  });

  it('sequence pool does not continue a state that cannot be truncated', async () => {
    const { pool, made } = poolOf(1);
    const first = await run(pool, [1, 2, 3]);
    made.forEach((sequence) => (sequence.needsCheckpoints = true));
    first.lease.release(true);
    expect(await run(pool, [1, 2, 3, 4])).toMatchObject({ cached: 0 });
  });

  it('hands a sequence to the next waiter', async () => {
    const { pool } = poolOf(1);
    const first = await run(pool, [1]);
    const waiting = run(pool, [2]);
    first.lease.release(true);
    first.lease.release(true);
    expect((await waiting).number).toBe(first.number);
  });

  it('fails as busy after a timeout, and forgets aborted waiters', async () => {
    jest.useFakeTimers();
    try {
      const { pool } = poolOf(1);
      const first = await run(pool, [1]);
      const late = pool.acquire([2], signal);
      const refused = expect(late).rejects.toMatchObject({ failure: { status: 429 } });
      const controller = new AbortController();
      const gone = pool.acquire([3], controller.signal);
      const aborted = expect(gone).rejects.toThrow('gone');
      controller.abort(new Error('gone'));
      await jest.advanceTimersByTimeAsync(5_000);
      await Promise.all([refused, aborted]);
      first.lease.release(true);
      expect((await run(pool, [4])).number).toBe(first.number);
    } finally {
      jest.useRealTimers();
    }
  });

  it('replaces a sequence whose run failed', async () => {
    const { pool, made } = poolOf(1);
    const first = await run(pool, [1]);
    first.lease.release(false);
    expect((await run(pool, [2])).number).toBe(1);
    expect(made[0]?.disposed).toBe(true);
  });

  it('accepts no new run once closed, except waiting ones, until reopened', async () => {
    const { pool } = poolOf(1);
    const first = await run(pool, [1]);
    const waiting = run(pool, [2]);
    pool.close();
    await expect(pool.acquire([3], signal)).rejects.toMatchObject({
      failure: { code: 'engine_error', param: 'model' },
    });
    first.lease.release(true);
    (await waiting).lease.release(true);
    await pool.drained();
    pool.reopen();
    expect(await run(pool, [4])).toMatchObject({ number: first.number });
  });

  it('ends running requests when it reclaims its sequences', async () => {
    const { pool } = poolOf(2);
    const [over, under] = [await run(pool, [1]), await run(pool, [2])];
    over.lease.release(true);
    const reason = new Error('unloaded');
    pool.revoke(reason);
    expect(under.lease.signal.reason).toBe(reason);
    expect(over.lease.signal.aborted).toBe(false);
  });

  it('ends a run with the abort reason of its own request', async () => {
    const { pool } = poolOf(1);
    const controller = new AbortController();
    const lease = await pool.acquire([1], controller.signal);
    const reason = new Error('client gone');
    controller.abort(reason);
    expect(lease.signal.reason).toBe(reason);
  });

  it('reports when all sequences are returned', async () => {
    const { pool } = poolOf(2);
    const first = await run(pool, [1]);
    let drained = false;
    const done = pool.drained().then(() => (drained = true));
    await Promise.resolve();
    expect(drained).toBe(false);
    first.lease.release(true);
    await done;
    await pool.drained();
  });
});
