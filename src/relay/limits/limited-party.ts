import type { ReplicaId } from '../../kernel/ids.js';
import type { KeyLimits } from '../platform/access/caller.js';
import { RunningElsewhere } from './running-elsewhere.js';
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

/** What the other replicas do not know yet. */
export interface UnsharedUse {
  /** Debts of the rates, which need no limit to be counted elsewhere. Below zero where reserved tokens were returned. */
  readonly requestsDebtMs: number;
  readonly tokensDebtMs: number;
  readonly running: number;
}

/** Others learn at once of a debt of this much: one second of the rate. */
const URGENT_DEBT_MS = 1_000;
/** The same for running requests, as a part of the limit. */
const URGENT_RUNNING_SHARE = 0.02;

/** The recent use and the running requests of one key or one account. */
export class LimitedParty {
  private readonly requests = new RateMeter();
  private readonly tokens = new RateMeter();
  /** Live permits rather than a counter, which could drift. */
  private readonly running = new Set<object>();
  private elsewhere: RunningElsewhere | null = null;
  private requestsDebtMs = 0;
  private tokensDebtMs = 0;
  private sharedRunning = 0;
  /** null: running requests are not limited. */
  private concurrency: number | null = null;

  /** @param onUse called after each use, where other replicas are told */
  constructor(
    private readonly party: PartyKind,
    readonly name: string,
    private readonly onUse: ((party: LimitedParty) => void) | null = null,
  ) {}

  /** The limit that refuses a request now; null when it may start. Counts nothing. */
  refusal({ requestsPerMinute, tokensPerMinute, concurrency }: KeyLimits, nowMs: number): Refusal | null {
    const { party } = this;
    if (concurrency !== null && this.runningEverywhere(nowMs) >= concurrency) {
      return { party, kind: 'concurrency', waitMs: CONCURRENCY_WAIT_MS };
    }
    const requestsWaitMs = requestsPerMinute === null ? 0 : this.requests.waitMs(requestsPerMinute, nowMs);
    const tokensWaitMs = tokensPerMinute === null ? 0 : this.tokens.waitMs(tokensPerMinute, nowMs);
    if (requestsWaitMs === 0 && tokensWaitMs === 0) return null;
    return requestsWaitMs >= tokensWaitMs
      ? { party, kind: 'requests', waitMs: requestsWaitMs }
      : { party, kind: 'tokens', waitMs: tokensWaitMs };
  }

  begin(permit: object, { requestsPerMinute, concurrency }: KeyLimits, nowMs: number): void {
    this.running.add(permit);
    this.concurrency = concurrency;
    if (requestsPerMinute !== null) this.requestsDebtMs += this.requests.use(1, requestsPerMinute, nowMs);
    this.onUse?.(this);
  }

  /** @param tokens below zero when fewer were used than reserved */
  charge(tokens: number, { tokensPerMinute }: KeyLimits, nowMs: number): void {
    if (tokensPerMinute === null || tokens === 0) return;
    this.tokensDebtMs += this.tokens.use(tokens, tokensPerMinute, nowMs);
    this.onUse?.(this);
  }

  end(permit: object): void {
    if (this.running.delete(permit) && this.concurrency !== null) this.onUse?.(this);
  }

  /** Whether the other replicas are to be told before the next regular message. */
  get urgent(): boolean {
    if (this.requestsDebtMs >= URGENT_DEBT_MS || this.tokensDebtMs >= URGENT_DEBT_MS) return true;
    if (this.concurrency === null) return false;
    const change = Math.abs(this.running.size - this.sharedRunning);
    return change >= Math.max(1, this.concurrency * URGENT_RUNNING_SHARE);
  }

  /** For a message to the other replicas; it counts as told. Running requests only where they are limited. */
  share(): UnsharedUse {
    const { requestsDebtMs, tokensDebtMs } = this;
    this.requestsDebtMs = 0;
    this.tokensDebtMs = 0;
    this.sharedRunning = this.concurrency === null ? 0 : this.running.size;
    return { requestsDebtMs, tokensDebtMs, running: this.sharedRunning };
  }

  /** @param untilMs how long its running requests count unless the replica repeats them */
  usedAt(
    replica: ReplicaId,
    { requestsDebtMs, tokensDebtMs, running }: UnsharedUse,
    nowMs: number,
    untilMs: number,
  ): void {
    if (requestsDebtMs !== 0) this.requests.owe(requestsDebtMs, nowMs);
    if (tokensDebtMs !== 0) this.tokens.owe(tokensDebtMs, nowMs);
    if (running > 0) this.elsewhere ??= new RunningElsewhere();
    if (this.elsewhere?.set(replica, running, untilMs) === 0) this.elsewhere = null;
  }

  /** At this replica. */
  get runningNow(): number {
    return this.running.size;
  }

  private runningEverywhere(nowMs: number): number {
    return this.running.size + (this.elsewhere?.count(nowMs) ?? 0);
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
              remaining: Math.max(0, concurrency - this.runningEverywhere(nowMs)),
              resetMs: 0,
            },
          ]),
    ];
  }
}
