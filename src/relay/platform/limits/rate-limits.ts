import type { Clock } from '../../../kernel/clock.js';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import type { AccountId, ApiKeyId } from '../../../kernel/ids.js';
import { LruMap } from '../../../kernel/lru-map.js';
import { noKeyLimits, type KeyLimits } from '../access/caller.js';
import type { ConcurrencyQueries } from './concurrency-queries.js';
import { LimitSubject, type LimitSubjectKind, type Refusal } from './limit-subject.js';
import { Permit, headersOf, type Bound } from './permit.js';

/** Counted keys and accounts; the least recently used one is evicted. */
const MAX_SUBJECTS = 50_000;

/** Known of a request before its limits are checked. */
interface RequestSubjects {
  readonly accountId: AccountId;
  readonly keyPublicId: ApiKeyId;
  readonly limits?: KeyLimits;
}

export interface LimitedRequest extends RequestSubjects {
  readonly limits: KeyLimits;
  /** Reserved until the actual number is known. */
  readonly estimatedTokens: number;
}

export type ReplicaQueries = Pick<ConcurrencyQueries, 'others' | 'query'>;

export const hasLimits = ({ requestsPerMinute, tokensPerMinute, concurrency }: KeyLimits): boolean =>
  requestsPerMinute !== null || tokensPerMinute !== null || concurrency !== null;

/** Limits per key and per account, enforced before a request waits for anything (docs/reference/limits.md#rate-limits). */
export class RateLimits {
  private readonly parties = new LruMap<string, LimitSubject>(MAX_SUBJECTS);
  private onUse: ((subject: LimitSubject) => void) | null = null;

  /**
   * @param accountLimits apply to every account; read at every use, because a reload may change them
   * @param queries null: there are no other replicas to ask
   */
  constructor(
    private readonly clock: Clock,
    private readonly accountLimits: KeyLimits,
    private readonly queries: ReplicaQueries | null = null,
  ) {}

  private get accountsAreLimited(): boolean {
    return hasLimits(this.accountLimits);
  }

  /**
   * To be called before `admit`, until it returns null.
   * @param asked it has returned a promise for this request
   * @returns what to wait for: other replicas are asked for the requests that run there; null when the limits can decide now, as always
   * where there is one relay, nothing limits concurrency, or few requests run
   */
  queryFirst({ accountId, keyPublicId, limits = noKeyLimits }: RequestSubjects, asked: boolean): Promise<void> | null {
    const { queries } = this;
    if (queries === null) return null;
    const ofKey = this.query(queries, 'key', keyPublicId, limits, asked);
    return ofKey ?? this.query(queries, 'account', accountId, this.accountLimits, asked);
  }

  /**
   * @returns null when no limits apply
   * @throws FerryError `rate_limit_exceeded`; a refused request counts nothing
   */
  admit({ accountId, keyPublicId, limits, estimatedTokens }: LimitedRequest): Permit | null {
    const keyIsLimited = hasLimits(limits);
    if (!keyIsLimited && !this.accountsAreLimited) return null;
    const bounds: Bound[] = [];
    if (keyIsLimited) bounds.push({ subject: this.subjectOf('key', keyPublicId), limits });
    if (this.accountsAreLimited)
      bounds.push({ subject: this.subjectOf('account', accountId), limits: this.accountLimits });
    const nowMs = this.clock.monotonicMs();
    const refusals = bounds.flatMap(({ subject, limits: applied }) => subject.refusal(applied, nowMs) ?? []);
    const [first, ...others] = refusals;
    if (first !== undefined) {
      throw exceeded(
        others.reduce((longest, next) => (next.waitMs > longest.waitMs ? next : longest), first),
        headersOf(bounds, nowMs),
        keyPublicId,
      );
    }
    return new Permit(bounds, estimatedTokens, this.clock);
  }

  /** Requests of the account that hold a permit now; 0 where accounts are not limited. */
  runningIn(accountId: AccountId): number {
    return this.accountsAreLimited ? this.subjectOf('account', accountId).runningNow : 0;
  }

  /** Before the first request. @param onUse called after each use of a key or account, for the other replicas */
  shareUse(onUse: (subject: LimitSubject) => void): void {
    this.onUse = onUse;
  }

  /** @param name of a party at another replica */
  named(name: string): LimitSubject {
    return this.subject(name.startsWith('key:') ? 'key' : 'account', name);
  }

  /** The most recently used first. */
  counted(): Iterable<LimitSubject> {
    return this.parties.youngestFirst();
  }

  private query(
    queries: ReplicaQueries,
    kind: LimitSubjectKind,
    id: string,
    { concurrency }: KeyLimits,
    asked: boolean,
  ): Promise<void> | null {
    if (concurrency === null) return null;
    const replicas = queries.others().length + 1;
    const subject = this.subjectOf(kind, id);
    return replicas > 1 && subject.mustQuery(concurrency, replicas, asked, this.clock.monotonicMs())
      ? queries.query(subject)
      : null;
  }

  private subjectOf(kind: LimitSubjectKind, id: string): LimitSubject {
    return this.subject(kind, `${kind}:${id}`);
  }

  private subject(kind: LimitSubjectKind, name: string): LimitSubject {
    let subject = this.parties.get(name);
    if (subject === undefined) this.parties.set(name, (subject = new LimitSubject(kind, name, this.onUse)));
    return subject;
  }
}

const scopeNames = { key: 'this API key', account: 'this account' } as const;
const limitNames = {
  requests: 'requests per minute',
  tokens: 'tokens per minute',
  concurrency: 'requests at once',
} as const;

/** Requests from the website count for the id of the user. */
const scopeNameOf = (subject: LimitSubjectKind, caller: ApiKeyId): string =>
  subject === 'key' && caller.startsWith('usr_') ? 'this user' : scopeNames[subject];

const exceeded = ({ subject, kind, waitMs }: Refusal, headers: Record<string, string>, caller: ApiKeyId): FerryError =>
  new FerryError(
    'rate_limit_exceeded',
    `The limit of ${limitNames[kind]} of ${scopeNameOf(subject, caller)} is reached.`,
    {
      retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
      headers,
    },
  );
