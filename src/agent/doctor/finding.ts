/** What `ferry node doctor` says about one thing. For people; `facts` are the same for programs. */
export type Verdict = 'ok' | 'warn' | 'fail';

export interface Finding {
  /** Stable: programs look for it. */
  readonly check: string;
  readonly verdict: Verdict;
  readonly summary: string;
  /** What to do; null where nothing is to be done. */
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
