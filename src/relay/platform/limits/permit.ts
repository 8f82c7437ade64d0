import type { Clock } from '../../../kernel/clock.js';
import type { UsageReport } from '../../../link/messages.js';
import type { KeyLimits } from '../access/caller.js';
import { limitHeaders } from './limit-headers.js';
import type { LimitedParty } from './limited-party.js';

/** A party with the limits that apply to it now. */
export interface Bound {
  readonly party: LimitedParty;
  readonly limits: KeyLimits;
}

export const headersOf = (bounds: readonly Bound[], nowMs: number): Record<string, string> =>
  limitHeaders(bounds.flatMap(({ party, limits }) => party.allowances(limits, nowMs)));

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
    for (const { party, limits } of bounds) {
      party.begin(this, limits, nowMs);
      party.charge(estimatedTokens, limits, nowMs);
    }
    this.headers = headersOf(bounds, nowMs);
  }

  /** Idempotent. */
  end(): void {
    for (const { party } of this.bounds) party.end(this);
  }

  /** Replaces the reservation, or an earlier charge, by the actual use. May be called after the end. */
  charge({ input_tokens: input, output_tokens: output }: Pick<UsageReport, 'input_tokens' | 'output_tokens'>): void {
    const nowMs = this.clock.monotonicMs();
    const tokens = input + output;
    for (const { party, limits } of this.bounds) party.charge(tokens - this.chargedTokens, limits, nowMs);
    this.chargedTokens = tokens;
  }
}
