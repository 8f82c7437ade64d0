import { describe, expect, it } from '@jest/globals';
import type { LlamaContext } from '../binding.js';
import { sampleFirstAlone } from './sampling-order.js';

/** Samples end when the test says so. */
function context() {
  const running: { readonly index: unknown; readonly end: (error?: Error) => void }[] = [];
  const native = {
    decodeBatch: () => Promise.resolve(),
    sampleToken: (index: unknown) =>
      new Promise((resolve, reject) => {
        running.push({ index, end: (error) => (error === undefined ? resolve(index) : reject(error)) });
      }),
  };
  sampleFirstAlone({ _ctx: native } as unknown as LlamaContext);
  const indexes = (): unknown[] => running.map(({ index }) => index);
  return { native, running, indexes };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the order in which the tokens of a batch are sampled', () => {
  it('samples the first token of a batch alone and the others beside each other', async () => {
    const { native, running, indexes } = context();
    await native.decodeBatch();
    const sampled = [0, 1, 2].map((index) => native.sampleToken(index));
    await turn();
    expect(indexes()).toEqual([0]);
    running[0]?.end();
    await turn();
    expect(indexes()).toEqual([0, 1, 2]);
    for (const { end } of running) end();
    await expect(Promise.all(sampled)).resolves.toEqual([0, 1, 2]);
  });

  it('starts again with every batch', async () => {
    const { native, running, indexes } = context();
    await native.decodeBatch();
    void native.sampleToken(0);
    running[0]?.end();
    await native.decodeBatch();
    void native.sampleToken(1);
    void native.sampleToken(2);
    await turn();
    expect(indexes()).toEqual([0, 1]);
  });

  it('samples the others after a first one that failed, which alone gets the failure', async () => {
    const { native, running } = context();
    await native.decodeBatch();
    const first = native.sampleToken(0);
    const second = native.sampleToken(1);
    first.catch(() => undefined);
    running[0]?.end(new Error('no logits'));
    await turn();
    running[1]?.end();
    await expect(first).rejects.toThrow('no logits');
    await expect(second).resolves.toBe(1);
  });

  it('refuses a binding without the native context', () => {
    expect(() => sampleFirstAlone({} as LlamaContext)).toThrow('node-llama-cpp');
  });
});
