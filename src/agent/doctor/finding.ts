/** A result of `ferry node doctor`: text for people, `facts` for programs. */
export type Verdict = 'ok' | 'warn' | 'fail';

export interface Finding {
  /** Stable identifier for programs. */
  readonly check: string;
  readonly verdict: Verdict;
  readonly summary: string;
  /** Suggested action; null when none is needed. */
  readonly next: string | null;
  readonly facts: Readonly<Record<string, unknown>>;
}

export const ok = (check: string, summary: string, facts: Finding['facts'] = {}): Finding => ({
  check,
  verdict: 'ok',
  summary,
  next: null,
  facts,
});

export const problem = (
  verdict: 'warn' | 'fail',
  check: string,
  summary: string,
  next: string,
  facts: Finding['facts'] = {},
): Finding => ({ check, verdict, summary, next, facts });
