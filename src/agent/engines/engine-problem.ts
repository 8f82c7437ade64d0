/** A problem that keeps a configured engine, or one of its models, from serving. For people. */
export interface EngineProblem {
  readonly summary: string;
  /** Suggested action. */
  readonly next: string;
  /** The whole engine is unusable, not only one model. */
  readonly stopsEngine: boolean;
}
