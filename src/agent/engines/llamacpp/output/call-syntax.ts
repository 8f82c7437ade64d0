/**
 * How a model writes tool calls, read off its own chat template (see `template-traits`):
 * `prefix name nameToArguments {json} suffix`, then `separator name …` for another call, and `close` after the last.
 */
export interface CallSyntax {
  /** The part of `prefix` that tells a call from text, e.g. `<tool_call>`. */
  readonly trigger: string;
  /** True where calls have no marker of their own: then the trigger counts only at the beginning of the answer. */
  readonly onlyAtStart: boolean;
  readonly prefix: string;
  readonly nameToArguments: string;
  readonly suffix: string;
  /** Absent where the template allows one call per turn. */
  readonly separator?: string;
  readonly close: string;
}
