/** A predicted completion time in milliseconds, by cause; candidates are compared by the sum. */
export interface CostParts {
  /** Queueing at the engine, and the penalty for failures. */
  readonly queueMs: number;
  readonly prefillMs: number;
  readonly decodeMs: number;
  readonly linkMs: number;
  /** 0 or less: prefill saved by a cached prompt. Its size is never more than `prefillMs`. */
  readonly affinityMs: number;
}

export const totalMs = ({ queueMs, prefillMs, decodeMs, linkMs, affinityMs }: CostParts): number =>
  queueMs + prefillMs + decodeMs + linkMs + affinityMs;
