import type { Clock } from '../../../../kernel/clock.js';
import type { LlamaSequence, Token } from '../binding.js';
import { sequenceNumber } from './batch-order.js';

/** llama.cpp cannot be interrupted within a batch, and an abort must take effect within a second. */
const TARGET_BATCH_MS = 300;
const FIRST_BATCH_TOKENS = 64;
const MIN_BATCH_TOKENS = 16;

/**
 * Evaluates the prompt in batches except the last one, which is returned for the sampler. Batches include tokens of other streams, so a
 * long prompt slows them but does not stop them.
 * @throws the signal's reason between two batches
 */
export async function prefill(
  sequence: LlamaSequence,
  prompt: readonly Token[],
  options: {
    readonly maxBatchTokens: number;
    readonly firstBatchTokens?: number | undefined;
    readonly signal: AbortSignal;
    readonly clock: Clock;
    /** Runs a batch when it is its turn. */
    readonly turn: (compute: () => Promise<void>) => Promise<void>;
  },
): Promise<readonly Token[]> {
  const { maxBatchTokens, firstBatchTokens = FIRST_BATCH_TOKENS, signal, clock, turn } = options;
  let batchTokens = Math.min(firstBatchTokens, maxBatchTokens);
  let done = 0;
  while (prompt.length - done > batchTokens) {
    signal.throwIfAborted();
    const batch = prompt.slice(done, done + batchTokens);
    let startedMs = 0;
    await turn(() => {
      startedMs = clock.monotonicMs();
      return sequence.evaluateWithoutGeneratingNewTokens(batch, { evaluationPriority: sequenceNumber(sequence) });
    });
    done += batchTokens;
    const tookMs = Math.max(1, clock.monotonicMs() - startedMs);
    const ideal = Math.floor((batchTokens * TARGET_BATCH_MS) / tookMs);
    // At most doubled, because the first batch of a cold model is not representative.
    batchTokens = Math.max(MIN_BATCH_TOKENS, Math.min(ideal, batchTokens * 2, maxBatchTokens));
  }
  signal.throwIfAborted();
  return prompt.slice(done);
}
