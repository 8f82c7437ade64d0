import { timingSafeEqual } from 'node:crypto';
import { merge } from 'rxjs';
import type { Clock } from '../../kernel/clock.js';
import { credentialDigestText, parseCredential, type Credential } from '../../kernel/credential.js';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import { apiKeyIdOf, type ApiKeyId } from '../../kernel/ids.js';
import { LruMap } from '../../kernel/lru-map.js';
import { StaleIfErrorCache, type StaleIfErrorLimits } from '../../kernel/stale-if-error-cache.js';
import { toFerryError } from '../platform/http/errors/to-ferry-error.js';
import type { Caller } from '../platform/access/caller.js';
import type { KeyRevocations } from './key-revocations.js';

/** A stored key in any state. */
export interface StoredKey extends Caller {
  readonly digest: Buffer;
  readonly revoked: boolean;
  /** Measured by the clock of the database; zero or less: expired. Null: never expires. */
  readonly expiresInMs: number | null;
}

export interface KeySource {
  findForVerification(id: ApiKeyId): Promise<StoredKey | undefined>;
}

/** Called for every accepted key, on the request path: must be quick and must not throw. */
interface UseListener {
  record(caller: Caller): void;
}

interface VerifiedKey {
  readonly caller: Caller;
  readonly validUntilMs: number;
}

/** Long enough to keep a client that retries an invalid key in a loop off the database. */
const REFUSED_FRESH_MS = 5_000;
const REFUSED_ENTRIES = 10_000;
/** Compared for an unknown id, so that it takes as long as a wrong secret. */
const NO_DIGEST = Buffer.alloc(32);

/** The key of the latest request of a connection, on the connection itself. */
const latestKey = Symbol('ferry.latest-key');
type Connection = object & { [latestKey]?: { readonly text: string; readonly digest: string } };

/**
 * API key → caller (docs/reference/security.md#api-keys). Everything is cached under the digest of the whole credential, never under a
 * part of it, so one key can never be answered with the identity of another.
 */
export class KeyVerifier {
  private readonly verified: StaleIfErrorCache<VerifiedKey>;
  /** Separate from the valid keys, so that a flood of invalid ones cannot evict them. Monotonic milliseconds. */
  private readonly refusedUntil = new LruMap<string, number>(REFUSED_ENTRIES);

  constructor(
    private readonly source: KeySource,
    private readonly revocations: KeyRevocations,
    private readonly uses: UseListener,
    limits: StaleIfErrorLimits,
    private readonly clock: Clock,
  ) {
    this.verified = new StaleIfErrorCache(limits, clock);
    merge(revocations.revoked$, revocations.changed$).subscribe(({ keyPublicId }) => {
      this.verified.deleteWhere(({ caller }) => caller.keyPublicId === keyPublicId);
    });
  }

  /**
   * The caller of a recently verified key; undefined for any other text. Synchronous, for the request path.
   * @param connection keeps the text and its digest of an accepted key while it is open: most clients repeat it with every request, and to
   * check and hash it again takes longer than to look it up
   */
  known(text: string, connection: Connection = {}): Caller | undefined {
    const latest = connection[latestKey];
    if (latest?.text === text) return this.freshCaller(latest.digest);
    const credential = parseCredential('api-key', text);
    if (credential === undefined) return undefined;
    const digest = credentialDigestText(credential);
    const caller = this.freshCaller(digest);
    if (caller !== undefined) connection[latestKey] = { text, digest };
    return caller;
  }

  /**
   * @throws FerryError `missing_or_malformed_credential` (without a query), `invalid_credential` (unknown, expired and
   * revoked look alike), or `overloaded` when the database does not answer and the key was not seen lately: never a 401 then.
   */
  async verify(text: string): Promise<Caller> {
    const credential = parseCredential('api-key', text);
    if (credential === undefined) throw new FerryError('missing_or_malformed_credential');
    const cacheKey = credentialDigestText(credential);
    return this.freshCaller(cacheKey) ?? this.verifySlowly(credential, cacheKey);
  }

  /** Whether any key would be accepted without the database. Scans the cache: for probes, not for requests. */
  worksWithoutDatabase(): boolean {
    return this.verified.someInReserve((key) => this.isUsable(key));
  }

  private freshCaller(cacheKey: string): Caller | undefined {
    const fresh = this.verified.fresh(cacheKey);
    if (fresh === undefined || !this.isUsable(fresh)) return undefined;
    this.uses.record(fresh.caller);
    return fresh.caller;
  }

  private async verifySlowly(credential: Credential, cacheKey: string): Promise<Caller> {
    if (this.clock.monotonicMs() < (this.refusedUntil.get(cacheKey) ?? 0)) throw new FerryError('invalid_credential');

    const key = await this.verified
      .get(cacheKey, () => this.lookUp(credential, Buffer.from(cacheKey, 'hex')))
      .catch((error: unknown) => {
        throw toFerryError(error);
      });
    if (key !== undefined && this.isUsable(key)) {
      this.uses.record(key.caller);
      return key.caller;
    }
    this.verified.delete(cacheKey);
    this.refusedUntil.set(cacheKey, this.clock.monotonicMs() + REFUSED_FRESH_MS);
    throw new FerryError('invalid_credential');
  }

  /** A revocation may arrive during a query, or while a stale value is served. */
  private isUsable({ caller, validUntilMs }: VerifiedKey): boolean {
    return this.clock.monotonicMs() < validUntilMs && !this.revocations.wasRevoked(caller.keyPublicId);
  }

  private async lookUp(credential: Credential, digest: Buffer): Promise<VerifiedKey | undefined> {
    const stored = await this.source.findForVerification(apiKeyIdOf(credential.publicId));
    const matches = timingSafeEqual(stored?.digest ?? NO_DIGEST, digest);
    if (stored === undefined || !matches || stored.revoked) return undefined;
    const { accountId, keyPublicId, scopes, clusterIds, limits, expiresInMs } = stored;
    return {
      caller: Object.freeze({ accountId, keyPublicId, scopes, clusterIds, limits }),
      validUntilMs: expiresInMs === null ? Infinity : this.clock.monotonicMs() + expiresInMs,
    };
  }
}
