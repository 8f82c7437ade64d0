import type { KeyLimits } from '../platform/access/caller.js';
import { RateMeter, type Allowance } from './rate-meter.js';

export type LimitKind = 'requests' | 'tokens' | 'concurrency';
/** The scope of a limit, as in the headers. */
export type PartyKind = 'key' | 'account';

export interface Refusal {
  readonly party: PartyKind;
  readonly kind: LimitKind;
  readonly waitMs: number;
}

/** Retry-After of the concurrency limit: when a running request ends is unknown. */
const CONCURRENCY_WAIT_MS = 1_000;

/** The recent use and the running requests of one key or one account. */
export class LimitedParty {
  private readonly requests = new RateMeter();
  private readonly tokens = new RateMeter();
  /** Live permits rather than a counter, which could drift. */
  private readonly running = new Set<object>();

  constructor(private readonly party: PartyKind) {}

  /** The limit that refuses a request now; null when it may start. Counts nothing. */
  refusal({ requestsPerMinute, tokensPerMinute, concurrency }: KeyLimits, nowMs: number): Refusal | null {
    const { party } = this;
    if (concurrency !== null && this.running.size >= concurrency) {
      return { party, kind: 'concurrency', waitMs: CONCURRENCY_WAIT_MS };
    }
    const requestsWaitMs = requestsPerMinute === null ? 0 : this.requests.waitMs(requestsPerMinute, nowMs);
    const tokensWaitMs = tokensPerMinute === null ? 0 : this.tokens.waitMs(tokensPerMinute, nowMs);
    if (requestsWaitMs === 0 && tokensWaitMs === 0) return null;
    return requestsWaitMs >= tokensWaitMs
      ? { party, kind: 'requests', waitMs: requestsWaitMs }
      : { party, kind: 'tokens', waitMs: tokensWaitMs };
  }

  begin(permit: object, { requestsPerMinute }: KeyLimits, nowMs: number): void {
    this.running.add(permit);
    if (requestsPerMinute !== null) this.requests.use(1, requestsPerMinute, nowMs);
  }

  /** @param tokens below zero when fewer were used than reserved */
  charge(tokens: number, { tokensPerMinute }: KeyLimits, nowMs: number): void {
    if (tokensPerMinute !== null && tokens !== 0) this.tokens.use(tokens, tokensPerMinute, nowMs);
  }

  end(permit: object): void {
    this.running.delete(permit);
  }

  get runningNow(): number {
    return this.running.size;
  }

  /** In the order of the headers. */
  allowances(limits: KeyLimits, nowMs: number): readonly (Allowance & { party: PartyKind; kind: LimitKind })[] {
    const { party } = this;
    const { requestsPerMinute, tokensPerMinute, concurrency } = limits;
    return [
      ...(requestsPerMinute === null
        ? []
        : [{ party, kind: 'requests' as const, ...this.requests.allowance(requestsPerMinute, nowMs) }]),
      ...(tokensPerMinute === null
        ? []
        : [{ party, kind: 'tokens' as const, ...this.tokens.allowance(tokensPerMinute, nowMs) }]),
      ...(concurrency === null
        ? []
        : [
            {
              party,
              kind: 'concurrency' as const,
              limit: concurrency,
              remaining: Math.max(0, concurrency - this.running.size),
              resetMs: 0,
            },
          ]),
    ];
  }
}
