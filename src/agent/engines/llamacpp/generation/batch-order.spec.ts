import { describe, expect, it } from '@jest/globals';
import type { BatchItem } from '../binding.js';
import { inSequenceOrder } from './batch-order.js';

const item = (sequence: number, tokens = 1): BatchItem => ({
  tokens: Array.from({ length: tokens }, () => 0),
  evaluationPriority: sequence,
});
const batchOf = (items: readonly BatchItem[], size: number) =>
  inSequenceOrder({ items, size }).map(({ item: { evaluationPriority }, processAmount }) => [
    evaluationPriority,
    processAmount,
  ]);

describe('the order of the sequences of a batch', () => {
  it('the order of the sequences of a batch is that of their numbers, whoever asked first', () => {
    expect(batchOf([item(3), item(0), item(2), item(1)], 512)).toEqual([
      [0, 1],
      [1, 1],
      [2, 1],
      [3, 1],
    ]);
  });

  it('leaves answers their token beside a long prompt, which gets the rest of the batch', () => {
    expect(batchOf([item(1, 2_000), item(0), item(2)], 512)).toEqual([
      [0, 1],
      [1, 510],
      [2, 1],
    ]);
  });

  it('shares what is left among prompts, and gives what one does not need to the others', () => {
    expect(batchOf([item(0, 1_000), item(1, 11), item(2, 1_000)], 101)).toEqual([
      [0, 45],
      [1, 11],
      [2, 45],
    ]);
  });

  it('takes no more sequences than a batch has tokens', () => {
    expect(batchOf([item(2), item(1), item(0)], 2)).toEqual([
      [0, 1],
      [1, 1],
    ]);
  });
});
