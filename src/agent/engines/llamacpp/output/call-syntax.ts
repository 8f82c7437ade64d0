/**
 * Syntax of a model's tool calls, detected from its chat template (see `template-traits`):
 * `prefix name nameToArguments {json} suffix`, then `separator name …` for another call, and `close` after the last.
 */
export interface CallSyntax {
  /** The part of `prefix` that marks a call, e.g. `<tool_call>`. */
  readonly trigger: string;
  /** True when calls have no marker: the trigger then counts only at the start of the response. */
  readonly onlyAtStart: boolean;
  readonly prefix: string;
  readonly nameToArguments: string;
  readonly suffix: string;
  /** Absent when the template allows one call per turn only. */
  readonly separator?: string;
  readonly close: string;
}
