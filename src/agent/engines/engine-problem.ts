/** What keeps a configured engine, or one of its models, from serving. For people. */
export interface EngineProblem {
  readonly summary: string;
  /** What to do. */
  readonly next: string;
  /** Nothing of the engine works. */
  readonly stopsEngine: boolean;
}
