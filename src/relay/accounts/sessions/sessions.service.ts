import { timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { createCredential, credentialDigest, parseCredential } from '../../../kernel/credential.js';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { sessionIdOf, type AccountId, type SessionId, type UserId } from '../../../kernel/ids.js';
import { RELAY_CONFIG, type RelayConfig } from '../../platform/config/relay-config.js';
import type { ClientOrigin } from '../../platform/http/client-origin.js';
import type { Transaction } from '../accounts.store.js';
import type { Principal, Role } from '../../platform/access/principal.js';
import type { User } from '../users/user.js';
import { SessionsStore, type ListedSession, type SessionLimits, type StoredSession } from './sessions.store.js';

/** Compared for an unknown id, so that it takes as long as a wrong secret. */
const NO_DIGEST = Buffer.alloc(32);

export interface OpenedSession {
  /** The value of the cookie, which is not stored. */
  readonly text: string;
  readonly principal: Principal;
}

/** Every verification queries the database, so that ending a session applies at once. */
@Injectable()
export class SessionsService {
  private readonly limits: SessionLimits;
  private readonly recentMs: number;

  constructor(
    private readonly store: SessionsStore,
    @Inject(RELAY_CONFIG) { settings }: RelayConfig,
  ) {
    this.limits = { idleMs: settings.sessionIdleMs, lifetimeMs: settings.sessionLifetimeMs };
    this.recentMs = settings.recentSignInMs;
  }

  /** Always a new id, which prevents session fixation. */
  async open(
    manager: Transaction,
    { accountId, id: userId, email, role }: User,
    origin: ClientOrigin,
  ): Promise<OpenedSession> {
    const credential = createCredential('session');
    const id = sessionIdOf(credential.publicId);
    await this.store.insert(manager, accountId, { id, userId, digest: credentialDigest(credential), origin });
    return {
      text: credential.text,
      principal: { accountId, userId, role, credential: { kind: 'session', id, name: email } },
    };
  }

  /** @throws FerryError `missing_or_malformed_credential` (no look-up was made), `invalid_credential` */
  async verify(text: string): Promise<Principal> {
    const credential = parseCredential('session', text);
    if (credential === undefined) throw new FerryError('missing_or_malformed_credential');
    const id = sessionIdOf(credential.publicId);
    const stored = await this.store.findForVerification(id, this.limits);
    const matches = timingSafeEqual(stored?.digest ?? NO_DIGEST, credentialDigest(credential));
    if (stored === undefined || !matches || !stored.active) {
      throw new FerryError('invalid_credential', 'The session is over. Sign in again.');
    }
    if (stored.unnoted) await this.store.noteUse(stored.accountId, id);
    const { accountId, userId, role, email } = stored;
    return { accountId, userId, role, credential: { kind: 'session', id, name: email } };
  }

  /** The active sessions of one user, the one used last first. */
  list(accountId: AccountId, userId: UserId): Promise<readonly ListedSession[]> {
    return this.store.list(accountId, userId, this.limits);
  }

  /** The role of the user of a session that was verified earlier; undefined when it has ended. */
  async currentRole(accountId: AccountId, id: SessionId, manager?: Transaction): Promise<Role | undefined> {
    const session = await this.find(accountId, id, manager);
    return session?.active === true ? session.role : undefined;
  }

  /** @throws FerryError `recent_sign_in_needed` */
  async requireRecentSignIn(accountId: AccountId, id: SessionId): Promise<void> {
    const session = await this.find(accountId, id);
    if (session === undefined || session.ageMs > this.recentMs) throw new FerryError('recent_sign_in_needed');
  }

  private async find(accountId: AccountId, id: SessionId, manager?: Transaction): Promise<StoredSession | undefined> {
    const stored = await this.store.findForVerification(id, this.limits, manager);
    return stored?.accountId === accountId ? stored : undefined;
  }
}
