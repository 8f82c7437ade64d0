/** What a node is taken for before it has answered anything: from the size of the model and the kind of the engine. */
import type { RatePrior } from './learned-rate.js';

export interface RatePriors {
  /** Reading the prompt. */
  readonly prefill: RatePrior;
  /** Writing the answer. */
  readonly decode: RatePrior;
}

/** A 7B model in four bits. */
const USUAL_SIZE_BYTES = 4_500_000_000;
/** A token is one walk through all weights, at the memory speed of a good desktop. */
const DECODE_BYTES_PER_MS = 70_000_000;
/** A prompt is read in batches: many tokens per walk. */
const PREFILL_BYTES_PER_MS = 1_800_000_000;
const LEAST_DECODE_MS = 1;
const LEAST_PREFILL_MS = 0.05;

interface EngineHabit {
  /** Against the desktop above. */
  readonly slowness: number;
  readonly contention: number;
}

const usual: EngineHabit = { slowness: 1, contention: 0.3 };

/** Engines that tell something about the computer below them. */
const habits: Readonly<Record<string, EngineHabit>> = {
  // Built for many requests on a large graphics card.
  vllm: { slowness: 0.15, contention: 0.05 },
  sglang: { slowness: 0.15, contention: 0.05 },
  // The built-in engine computes on the processor.
  llamacpp: { slowness: 1.5, contention: 0.6 },
};

/** @param kind of the engine; null: unknown */
export function ratePriors(sizeBytes: number | null, kind: string | null): RatePriors {
  const { slowness, contention } = (kind === null ? undefined : habits[kind]) ?? usual;
  const bytes = (sizeBytes ?? USUAL_SIZE_BYTES) * slowness;
  return {
    prefill: { msPerToken: Math.max(LEAST_PREFILL_MS, bytes / PREFILL_BYTES_PER_MS), contention },
    decode: { msPerToken: Math.max(LEAST_DECODE_MS, bytes / DECODE_BYTES_PER_MS), contention },
  };
}
