/** A request that several nodes serve in parts. */
export interface DividedRequest {
  /** Bodies in order; each is made when it is sent. */
  readonly parts: readonly (() => Buffer)[];
  /**
   * One response of those to all parts, in their order.
   * @param usage of all parts together, as the engines' JSON has it
   * @throws when a response is not what its part asked for
   */
  readonly join: (responses: readonly Buffer[], usage: JoinedUsage) => readonly Buffer[];
}

export interface JoinedUsage {
  readonly prompt_tokens: number;
  readonly total_tokens: number;
}
