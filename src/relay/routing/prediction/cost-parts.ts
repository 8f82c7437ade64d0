/** A predicted completion, in milliseconds and by its causes; their sum is what candidates are compared by. */
export interface CostParts {
  /** Requests that wait at the engine already, and what the node costs more because it failed. */
  readonly queueMs: number;
  readonly prefillMs: number;
  readonly decodeMs: number;
  readonly linkMs: number;
  /** 0 or less: the reading that is saved where the prompt is remembered. Never more than `prefillMs`. */
  readonly affinityMs: number;
}

export const totalMs = ({ queueMs, prefillMs, decodeMs, linkMs, affinityMs }: CostParts): number =>
  queueMs + prefillMs + decodeMs + linkMs + affinityMs;
