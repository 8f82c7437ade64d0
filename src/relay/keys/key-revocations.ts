import { Injectable } from '@nestjs/common';
import { Subject, type Observable } from 'rxjs';
import type { AccountId, ApiKeyId } from '../../kernel/ids.js';
import { LruMap } from '../../kernel/lru-map.js';

export interface RevokedKey {
  readonly accountId: AccountId;
  readonly keyPublicId: ApiKeyId;
}

const REMEMBERED_REVOCATIONS = 10_000;

/** Notifies the key cache and running streams that a key was revoked or changed. */
@Injectable()
export class KeyRevocations {
  private readonly subject = new Subject<RevokedKey>();
  private readonly changes = new Subject<RevokedKey>();
  private readonly remembered = new LruMap<ApiKeyId, true>(REMEMBERED_REVOCATIONS);

  /** Emits after the revocation is stored. Listeners must not throw. */
  readonly revoked$: Observable<RevokedKey> = this.subject.asObservable();

  /** Emits after the limits or the expiry of a key changed: cached values are stale, running requests go on. */
  readonly changed$: Observable<RevokedKey> = this.changes.asObservable();

  announceChange(key: RevokedKey): void {
    this.changes.next(key);
  }

  announce(key: RevokedKey): void {
    this.remembered.set(key.keyPublicId, true);
    this.subject.next(key);
  }

  /**
   * Whether the key was revoked recently. Checked again when a stream is registered, because the event may come between the
   * verification and the registration.
   */
  wasRevoked(keyPublicId: ApiKeyId): boolean {
    return this.remembered.get(keyPublicId) === true;
  }
}
