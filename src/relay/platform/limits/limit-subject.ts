import type { ReplicaId } from '../../../kernel/ids.js';
import type { KeyLimits } from '../access/caller.js';
import { RateMeter, type Allowance } from './rate-meter.js';
import { RunningRequests } from './running-requests.js';

export type LimitKind = 'requests' | 'tokens' | 'concurrency';
/** The scope of a limit, as in the headers. */
export type LimitSubjectKind = 'key' | 'account';

export interface Refusal {
  readonly subject: LimitSubjectKind;
  readonly kind: LimitKind;
  readonly waitMs: number;
}

/** Retry-After of the concurrency limit: when a running request ends is unknown. */
const CONCURRENCY_WAIT_MS = 1_000;

/** The other replicas do not know this use yet. */
export interface UnsharedUse {
  /** Debts of the rates, which need no limit to be counted elsewhere. Below zero where reserved tokens were returned. */
  readonly requestsDebtMs: number;
  readonly tokensDebtMs: number;
  readonly running: number;
}

/** Others learn at once of a debt of this much: one second of the rate. */
const URGENT_DEBT_MS = 1_000;

/** The recent use and the running requests of one key or one account. */
export class LimitSubject {
  private readonly requests = new RateMeter();
  private readonly tokens = new RateMeter();
  private readonly running = new RunningRequests();
  private requestsDebtMs = 0;
  private tokensDebtMs = 0;

  /** @param onUse called after each use, where other replicas are told */
  constructor(
    private readonly subject: LimitSubjectKind,
    readonly name: string,
    private readonly onUse: ((subject: LimitSubject) => void) | null = null,
  ) {}

  /** The limit that refuses a request now; null when it may start. Counts nothing. */
  refusal({ requestsPerMinute, tokensPerMinute, concurrency }: KeyLimits, nowMs: number): Refusal | null {
    const { subject } = this;
    if (concurrency !== null && this.running.count(nowMs) >= concurrency) {
      return { subject, kind: 'concurrency', waitMs: CONCURRENCY_WAIT_MS };
    }
    const requestsWaitMs = requestsPerMinute === null ? 0 : this.requests.waitMs(requestsPerMinute, nowMs);
    const tokensWaitMs = tokensPerMinute === null ? 0 : this.tokens.waitMs(tokensPerMinute, nowMs);
    if (requestsWaitMs === 0 && tokensWaitMs === 0) return null;
    return requestsWaitMs >= tokensWaitMs
      ? { subject, kind: 'requests', waitMs: requestsWaitMs }
      : { subject, kind: 'tokens', waitMs: tokensWaitMs };
  }

  /**
   * Whether the other replicas are asked before `refusal`, because one of them may just have started or ended a request.
   * @param replicas with this one
   * @param asked they were, since the request came
   */
  mustQuery(concurrency: number, replicas: number, asked: boolean, nowMs: number): boolean {
    return this.running.mustQuery(concurrency, replicas, asked, nowMs);
  }

  begin(permit: object, { requestsPerMinute, concurrency }: KeyLimits, nowMs: number): void {
    this.running.add(permit, concurrency);
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
    if (this.running.delete(permit)) this.onUse?.(this);
  }

  /** Whether the other replicas are to be told before the next regular message. */
  get urgent(): boolean {
    if (this.requestsDebtMs >= URGENT_DEBT_MS || this.tokensDebtMs >= URGENT_DEBT_MS) return true;
    return this.running.urgent;
  }

  /** For a message to the other replicas; it counts as told. Running requests only where they are limited. */
  share(): UnsharedUse {
    const { requestsDebtMs, tokensDebtMs } = this;
    this.requestsDebtMs = 0;
    this.tokensDebtMs = 0;
    return { requestsDebtMs, tokensDebtMs, running: this.running.reportTo('all') };
  }

  /** For a question to the other replicas, or the response to one: its running requests only. */
  shareRunning(how: 'question' | 'answer'): UnsharedUse {
    const running = how === 'question' ? this.running.query() : this.running.reportTo('one');
    return { requestsDebtMs: 0, tokensDebtMs: 0, running };
  }

  /** The last question; a replica that did not answer is not counted on. */
  othersAnswered(): void {
    this.running.answered();
  }

  /** @param untilMs how long its running requests count unless the replica repeats them */
  usedAt(
    replica: ReplicaId,
    { requestsDebtMs, tokensDebtMs, running }: UnsharedUse,
    nowMs: number,
    untilMs: number,
  ): void {
    if (requestsDebtMs !== 0) this.requests.addDebt(requestsDebtMs, nowMs);
    if (tokensDebtMs !== 0) this.tokens.addDebt(tokensDebtMs, nowMs);
    this.running.onReport(replica, running, untilMs);
  }

  /** Returns the debt of this replica for one that starts, without the use that all replicas will receive anyway. */
  debts(nowMs: number): Omit<UnsharedUse, 'running'> {
    return {
      requestsDebtMs: Math.max(0, this.requests.debtMs(nowMs) - this.requestsDebtMs),
      tokensDebtMs: Math.max(0, this.tokens.debtMs(nowMs) - this.tokensDebtMs),
    };
  }

  /** Takes over the debt that another replica knew when this one started. */
  inherit({ requestsDebtMs, tokensDebtMs }: Omit<UnsharedUse, 'running'>, nowMs: number): void {
    this.requests.raiseDebtTo(requestsDebtMs, nowMs);
    this.tokens.raiseDebtTo(tokensDebtMs, nowMs);
  }

  /** At this replica. */
  get runningNow(): number {
    return this.running.countHere;
  }

  /** Keeps the order of the headers. */
  allowances(
    limits: KeyLimits,
    nowMs: number,
  ): readonly (Allowance & { subject: LimitSubjectKind; kind: LimitKind })[] {
    const { subject } = this;
    const { requestsPerMinute, tokensPerMinute, concurrency } = limits;
    return [
      ...(requestsPerMinute === null
        ? []
        : [{ subject, kind: 'requests' as const, ...this.requests.allowance(requestsPerMinute, nowMs) }]),
      ...(tokensPerMinute === null
        ? []
        : [{ subject, kind: 'tokens' as const, ...this.tokens.allowance(tokensPerMinute, nowMs) }]),
      ...(concurrency === null
        ? []
        : [
            {
              subject,
              kind: 'concurrency' as const,
              limit: concurrency,
              remaining: Math.max(0, concurrency - this.running.count(nowMs)),
              resetMs: 0,
            },
          ]),
    ];
  }
}
