import { Injectable } from '@nestjs/common';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import type { AccountId, UserId } from '../../kernel/ids.js';
import { lockAccount, type Transaction } from './accounts.store.js';
import { CliTokensService } from './cli-tokens.service.js';
import { CliTokensStore } from './cli-tokens.store.js';
import { GrantedAccessStore } from './granted-access.store.js';
import { hasRole, type Principal, type Role } from '../platform/access/principal.js';
import { SessionsService } from './sessions/sessions.service.js';
import { SessionsStore } from './sessions/sessions.store.js';

/** Management credentials of either kind: sessions and CLI tokens. */
@Injectable()
export class CredentialsService {
  constructor(
    private readonly cliTokens: CliTokensService,
    private readonly cliTokensStore: CliTokensStore,
    private readonly sessions: SessionsService,
    private readonly sessionsStore: SessionsStore,
    private readonly granted: GrantedAccessStore,
  ) {}

  /** Whether an earlier verified credential is still valid; for responses that outlive their request. */
  async isActive(accountId: AccountId, credential: Principal['credential']): Promise<boolean> {
    return (await this.currentRole(accountId, credential)) !== undefined;
  }

  /**
   * For what outlives the request that makes it, such as an invite or a role: locks the account and reads the credential again, so that it is
   * not made with a credential that has just ended.
   * @returns the role that the credential has now
   * @throws FerryError `invalid_credential`, `insufficient_role`
   */
  async requireStill(manager: Transaction, { accountId, credential }: Principal, needed: Role): Promise<Role> {
    await lockAccount(manager, accountId);
    const role = await this.currentRole(accountId, credential, manager);
    if (role === undefined) throw new FerryError('invalid_credential');
    if (!hasRole(role, needed)) throw new FerryError('insufficient_role');
    return role;
  }

  /**
   * An unlocked screen that somebody left must not let anybody in. A CLI token has no sign-in to be recent.
   * @throws FerryError `recent_sign_in_needed`
   */
  async requireRecentSignIn({ accountId, credential }: Principal): Promise<void> {
    if (credential.kind === 'session') await this.sessions.requireRecentSignIn(accountId, credential.id);
  }

  /** Ends the credential. With the relay's own token, which has no user, ends what that token has created. */
  async end(manager: Transaction, { accountId, userId, credential }: Principal): Promise<void> {
    switch (credential.kind) {
      case 'cli-token':
        if (userId !== null) return this.cliTokensStore.revoke(manager, accountId, credential.id);
        await lockAccount(manager, accountId);
        // A start of the relay may have put another one in its place, which must stay.
        if ((await this.cliTokensStore.findUsable(manager, accountId, credential.id)) === undefined) return;
        return this.cliTokens.endBootstrap(manager, accountId);
      case 'session':
        return this.sessionsStore.end(manager, accountId, credential.id);
      default:
        return credential satisfies never;
    }
  }

  /**
   * Ends all sessions and CLI tokens of the user, and what the user has handed out. Running feeds end at their next check. Lock the account
   * first.
   */
  async endAllOf(manager: Transaction, accountId: AccountId, userId: UserId): Promise<void> {
    await this.endSessionsOf(manager, accountId, userId);
    await this.cliTokensStore.revokeAllOf(manager, accountId, userId);
    await this.granted.endAllOf(manager, accountId, userId);
  }

  /** At a change of the role: CLI tokens stay, with the lower of the two roles. */
  async endAbove(manager: Transaction, accountId: AccountId, userId: UserId, role: Role): Promise<void> {
    await this.endSessionsOf(manager, accountId, userId);
    await this.granted.endAbove(manager, accountId, userId, role);
  }

  async endSessionsOf(manager: Transaction, accountId: AccountId, userId: UserId): Promise<void> {
    await this.sessionsStore.endAll(manager, accountId, userId);
  }

  private currentRole(
    accountId: AccountId,
    credential: Principal['credential'],
    manager?: Transaction,
  ): Promise<Role | undefined> {
    switch (credential.kind) {
      case 'cli-token':
        return this.cliTokens.currentRole(accountId, credential.id, manager);
      case 'session':
        return this.sessions.currentRole(accountId, credential.id, manager);
      default:
        return credential satisfies never;
    }
  }
}
