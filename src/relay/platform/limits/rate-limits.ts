import type { Clock } from '../../../kernel/clock.js';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import type { AccountId, ApiKeyId } from '../../../kernel/ids.js';
import { LruMap } from '../../../kernel/lru-map.js';
import { noKeyLimits, type KeyLimits } from '../access/caller.js';
import type { ConcurrencyQuestions } from './concurrency-questions.js';
import { LimitedParty, type PartyKind, type Refusal } from './limited-party.js';
import { Permit, headersOf, type Bound } from './permit.js';

/** Counted keys and accounts; the least recently used one is evicted. */
const MAX_PARTIES = 50_000;

/** Known of a request before its limits are checked. */
interface RequestParties {
  readonly accountId: AccountId;
  readonly keyPublicId: ApiKeyId;
  readonly limits?: KeyLimits;
}

export interface LimitedRequest extends RequestParties {
  readonly limits: KeyLimits;
  /** Reserved until the actual number is known. */
  readonly estimatedTokens: number;
}

type Questions = Pick<ConcurrencyQuestions, 'others' | 'ask'>;

export const hasLimits = ({ requestsPerMinute, tokensPerMinute, concurrency }: KeyLimits): boolean =>
  requestsPerMinute !== null || tokensPerMinute !== null || concurrency !== null;

/** Limits per key and per account, enforced before a request waits for anything (docs/reference/limits.md#rate-limits). */
export class RateLimits {
  private readonly parties = new LruMap<string, LimitedParty>(MAX_PARTIES);
  private onUse: ((party: LimitedParty) => void) | null = null;
  private questions: Questions | null = null;

  /** @param accountLimits apply to every account; read at every use, because a reload may change them */
  constructor(
    private readonly clock: Clock,
    private readonly accountLimits: KeyLimits,
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
  askFirst({ accountId, keyPublicId, limits = noKeyLimits }: RequestParties, asked: boolean): Promise<void> | null {
    const { questions } = this;
    if (questions === null) return null;
    const ofKey = this.ask(questions, 'key', keyPublicId, limits, asked);
    return ofKey ?? this.ask(questions, 'account', accountId, this.accountLimits, asked);
  }

  /**
   * @returns null when no limits apply
   * @throws FerryError `rate_limit_exceeded`; a refused request counts nothing
   */
  admit({ accountId, keyPublicId, limits, estimatedTokens }: LimitedRequest): Permit | null {
    const keyIsLimited = hasLimits(limits);
    if (!keyIsLimited && !this.accountsAreLimited) return null;
    const bounds: Bound[] = [];
    if (keyIsLimited) bounds.push({ party: this.partyOf('key', keyPublicId), limits });
    if (this.accountsAreLimited) bounds.push({ party: this.partyOf('account', accountId), limits: this.accountLimits });
    const nowMs = this.clock.monotonicMs();
    const refusals = bounds.flatMap(({ party, limits: applied }) => party.refusal(applied, nowMs) ?? []);
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
    return this.accountsAreLimited ? this.partyOf('account', accountId).runningNow : 0;
  }

  /** Before the first request. @param onUse called after each use of a key or account, for the other replicas */
  shareUse(onUse: (party: LimitedParty) => void): void {
    this.onUse = onUse;
  }

  /** Before the first request. */
  askWith(questions: Questions): void {
    this.questions = questions;
  }

  /** @param name of a party at another replica */
  named(name: string): LimitedParty {
    return this.party(name.startsWith('key:') ? 'key' : 'account', name);
  }

  /** The most recently used first. */
  counted(): Iterable<LimitedParty> {
    return this.parties.youngestFirst();
  }

  private ask(
    questions: Questions,
    kind: PartyKind,
    id: string,
    { concurrency }: KeyLimits,
    asked: boolean,
  ): Promise<void> | null {
    if (concurrency === null) return null;
    const replicas = questions.others().length + 1;
    const party = this.partyOf(kind, id);
    return replicas > 1 && party.mustAsk(concurrency, replicas, asked, this.clock.monotonicMs())
      ? questions.ask(party)
      : null;
  }

  private partyOf(kind: PartyKind, id: string): LimitedParty {
    return this.party(kind, `${kind}:${id}`);
  }

  private party(kind: PartyKind, name: string): LimitedParty {
    let party = this.parties.get(name);
    if (party === undefined) this.parties.set(name, (party = new LimitedParty(kind, name, this.onUse)));
    return party;
  }
}

const scopeNames = { key: 'this API key', account: 'this account' } as const;
const limitNames = {
  requests: 'requests per minute',
  tokens: 'tokens per minute',
  concurrency: 'requests at once',
} as const;

/** Requests from the website count for the id of the user. */
const scopeNameOf = (party: PartyKind, caller: ApiKeyId): string =>
  party === 'key' && caller.startsWith('usr_') ? 'this user' : scopeNames[party];

const exceeded = ({ party, kind, waitMs }: Refusal, headers: Record<string, string>, caller: ApiKeyId): FerryError =>
  new FerryError(
    'rate_limit_exceeded',
    `The limit of ${limitNames[kind]} of ${scopeNameOf(party, caller)} is reached.`,
    {
      retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
      headers,
    },
  );
