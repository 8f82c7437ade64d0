import type { Clock } from '../../../kernel/clock.js';
import type { UsageReport } from '../../../link/messages.js';
import type { KeyLimits } from '../access/caller.js';
import { limitHeaders } from './limit-headers.js';
import type { LimitSubject } from './limit-subject.js';

/** A party with the limits that apply to it now. */
export interface Bound {
  readonly subject: LimitSubject;
  readonly limits: KeyLimits;
}

export const headersOf = (bounds: readonly Bound[], nowMs: number): Record<string, string> =>
  limitHeaders(bounds.flatMap(({ subject, limits }) => subject.allowances(limits, nowMs)));

/** An admitted request: it counts against the concurrency limits, and its estimated tokens are reserved. */
export class Permit {
  /** For the response; this request is counted. */
  readonly headers: Readonly<Record<string, string>>;
  private chargedTokens: number;

  constructor(
    private readonly bounds: readonly Bound[],
    estimatedTokens: number,
    private readonly clock: Clock,
  ) {
    const nowMs = clock.monotonicMs();
    this.chargedTokens = estimatedTokens;
    for (const { subject, limits } of bounds) {
      subject.begin(this, limits, nowMs);
      subject.charge(estimatedTokens, limits, nowMs);
    }
    this.headers = headersOf(bounds, nowMs);
  }

  /** Idempotent. */
  end(): void {
    for (const { subject } of this.bounds) subject.end(this);
  }

  /** Replaces the reservation, or an earlier charge, by the actual use. May be called after the end. */
  charge({ input_tokens: input, output_tokens: output }: Pick<UsageReport, 'input_tokens' | 'output_tokens'>): void {
    const nowMs = this.clock.monotonicMs();
    const tokens = input + output;
    for (const { subject, limits } of this.bounds) subject.charge(tokens - this.chargedTokens, limits, nowMs);
    this.chargedTokens = tokens;
  }
}
