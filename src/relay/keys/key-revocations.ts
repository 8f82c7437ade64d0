import { Injectable } from '@nestjs/common';
import { Subject, type Observable } from 'rxjs';
import type { AccountId, ApiKeyId } from '../../kernel/ids.js';
import { LruMap } from '../../kernel/lru-map.js';

export interface RevokedKey {
  readonly accountId: AccountId;
  readonly keyPublicId: ApiKeyId;
}

const REMEMBERED_REVOCATIONS = 10_000;

/** Tells who holds something for a key (the cache, running streams) that the key is no longer valid, or no longer what it was. */
@Injectable()
export class KeyRevocations {
  private readonly subject = new Subject<RevokedKey>();
  private readonly changes = new Subject<RevokedKey>();
  private readonly remembered = new LruMap<ApiKeyId, true>(REMEMBERED_REVOCATIONS);

  /** Emits after the revocation is stored. Listeners must not throw. */
  readonly revoked$: Observable<RevokedKey> = this.subject.asObservable();

  /** Emits after a key got other limits, or another expiry: what is cached of it is old, what runs under it goes on. */
  readonly changed$: Observable<RevokedKey> = this.changes.asObservable();

  announceChange(key: RevokedKey): void {
    this.changes.next(key);
  }

  announce(key: RevokedKey): void {
    this.remembered.set(key.keyPublicId, true);
    this.subject.next(key);
  }

  /**
   * Whether the key was revoked lately. A stream that registers itself asks once more, because the event may have come
   * between the check of its credential and its registration.
   */
  wasRevoked(keyPublicId: ApiKeyId): boolean {
    return this.remembered.get(keyPublicId) === true;
  }
}
