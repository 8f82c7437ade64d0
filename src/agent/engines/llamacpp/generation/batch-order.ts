import type { BatchItem, BatchingStrategy, LlamaSequence } from '../binding.js';

/**
 * The number that llama.cpp knows the sequence by, which node-llama-cpp keeps private. 0 where a version does not have it: batches are then
 * computed in the order in which their tokens were asked for.
 */
export const sequenceNumber = (sequence: LlamaSequence): number =>
  (sequence as { readonly _sequenceId?: number })._sequenceId ?? 0;

/**
 * Puts the sequences of a batch into the order of their numbers, which each item has as its priority, and shares the batch among them: every
 * sequence gets a token, and what is left goes to prompts.
 *
 * llama.cpp computes neighbouring sequences together only as long as their numbers follow each other (`split_equal` in llama-batch.cpp): 32
 * sequences in the order in which they asked were some 17 computations of 2 tokens, each as slow as one of 32.
 */
export const inSequenceOrder: BatchingStrategy = ({ items, size }) => {
  const ordered = [...items].sort((one, other) => one.evaluationPriority - other.evaluationPriority).slice(0, size);
  const amounts = new Map<BatchItem, number>(ordered.map((item) => [item, 1]));
  let left = size - ordered.length;
  let unfinished = ordered.filter(({ tokens }) => tokens.length > 1);
  while (left > 0 && unfinished.length > 0) {
    const share = Math.ceil(left / unfinished.length);
    for (const item of unfinished) {
      const amount = amounts.get(item) ?? 0;
      const more = Math.min(share, left, item.tokens.length - amount);
      amounts.set(item, amount + more);
      left -= more;
    }
    unfinished = unfinished.filter((item) => (amounts.get(item) ?? 0) < item.tokens.length);
  }
  return ordered.map((item) => ({ item, processAmount: amounts.get(item) ?? 1 }));
};

/**
 * Computes what was asked for in this turn of the event loop at its end, before the loop turns to input and output: all responses whose turn it
 * is ask within one (see `BatchTurns`), and what the loop does next would only be time in which the device does nothing.
 */
export const afterThisTurn = (dispatch: () => void): void => process.nextTick(dispatch);
