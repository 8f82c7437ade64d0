import type { Clock } from '../../kernel/clock.js';
import type { UsageReport } from '../../link/messages.js';
import type { KeyLimits } from '../platform/access/caller.js';
import { limitHeaders } from './limit-headers.js';
import type { LimitedParty } from './limited-party.js';

/** A party with the limits that hold for it now. */
export interface Bound {
  readonly party: LimitedParty;
  readonly limits: KeyLimits;
}

export const headersOf = (bounds: readonly Bound[], nowMs: number): Record<string, string> =>
  limitHeaders(bounds.flatMap(({ party, limits }) => party.allowances(limits, nowMs)));

/** A request's right to run under its limits: its place among those that run at once, and the tokens reserved for it. */
export class Permit {
  /** As things stand with this request let in; for its answer. */
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

  /** The request is over. Idempotent. */
  end(): void {
    for (const { party } of this.bounds) party.end(this);
  }

  /** What it really used takes the place of the reservation, or of what was charged before. Also after the end. */
  charge({ input_tokens: input, output_tokens: output }: Pick<UsageReport, 'input_tokens' | 'output_tokens'>): void {
    const nowMs = this.clock.monotonicMs();
    const tokens = input + output;
    for (const { party, limits } of this.bounds) party.charge(tokens - this.chargedTokens, limits, nowMs);
    this.chargedTokens = tokens;
  }
}
