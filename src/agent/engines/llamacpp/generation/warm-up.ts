import type { Clock } from '../../../../kernel/clock.js';
import type { LlamaContext } from '../binding.js';

const PROGRESS_MS = 1_000;

interface WarmUpOptions {
  readonly slots: number;
  readonly signal: AbortSignal;
  readonly onPreparing: (seconds: number) => void;
  readonly clock: Clock;
}

/**
 * Computes what the graphics processor will be asked for: a full batch, and the few tokens at once of one to all slots. Its driver compiles a
 * shader when it is first needed, which took 18 s on a data-centre GPU that saw llama.cpp for the first time; the first request would wait for it.
 * @returns the time that it took, in milliseconds. @throws the signal's reason
 */
export async function warmUp(
  context: LlamaContext,
  { slots, signal, onPreparing, clock }: WarmUpOptions,
): Promise<number> {
  const startedMs = clock.monotonicMs();
  const seconds = (): number => Math.round((clock.monotonicMs() - startedMs) / 1_000);
  onPreparing(0);
  const progressTimer = setInterval(() => {
    onPreparing(seconds());
  }, PROGRESS_MS).unref();
  const sequence = context.getSequence();
  try {
    for (const tokens of batchesOf(slots, Math.min(context.batchSize, context.contextSize - 1))) {
      signal.throwIfAborted();
      // Any token does: the first of every vocabulary.
      await sequence.evaluateWithoutGeneratingNewTokens(Array.from({ length: tokens }, () => 0));
      await sequence.clearHistory();
    }
  } finally {
    clearInterval(progressTimer);
    await sequence.dispose();
  }
  return Math.round(clock.monotonicMs() - startedMs);
}

/** Powers of two up to the slots: llama.cpp has shaders of their own for small batches. */
function batchesOf(slots: number, most: number): readonly number[] {
  const small = [1, 2, 4, 8, 16, 32].filter((tokens) => tokens <= Math.min(slots, most - 1));
  return [...small, most];
}
