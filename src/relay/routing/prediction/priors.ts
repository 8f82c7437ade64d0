/** Prior rates of a node without observations: from the size of the model and the kind of engine. */
import type { RatePrior } from './learned-rate.js';

export interface RatePriors {
  /** Prefill. */
  readonly prefill: RatePrior;
  /** Decode. */
  readonly decode: RatePrior;
}

/** A 7B model at 4 bits. */
const TYPICAL_SIZE_BYTES = 4_500_000_000;
/** Decode reads all weights per token, at the memory bandwidth of a good desktop. */
const DECODE_BYTES_PER_MS = 70_000_000;
/** Prefill is batched: many tokens per pass over the weights. */
const PREFILL_BYTES_PER_MS = 1_800_000_000;
const LEAST_DECODE_MS = 1;
const LEAST_PREFILL_MS = 0.05;

interface EngineHabit {
  /** Factor against that desktop. */
  readonly slowness: number;
  readonly contention: number;
}

const typical: EngineHabit = { slowness: 1, contention: 0.3 };

/** Engines that imply the class of computer. */
const habits: Readonly<Record<string, EngineHabit>> = {
  // Made for many requests on large GPUs.
  vllm: { slowness: 0.15, contention: 0.05 },
  sglang: { slowness: 0.15, contention: 0.05 },
  // The built-in engine runs on the CPU.
  llamacpp: { slowness: 1.5, contention: 0.6 },
};

/** @param kind of the engine; null: unknown */
export function ratePriors(sizeBytes: number | null, kind: string | null): RatePriors {
  const { slowness, contention } = (kind === null ? undefined : habits[kind]) ?? typical;
  const bytes = (sizeBytes ?? TYPICAL_SIZE_BYTES) * slowness;
  return {
    prefill: { msPerToken: Math.max(LEAST_PREFILL_MS, bytes / PREFILL_BYTES_PER_MS), contention },
    decode: { msPerToken: Math.max(LEAST_DECODE_MS, bytes / DECODE_BYTES_PER_MS), contention },
  };
}
