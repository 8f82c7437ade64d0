import { Injectable } from '@nestjs/common';
import type { AccountId, UserId } from '../../kernel/ids.js';
import type { Transaction } from './accounts.store.js';
import { CliTokensService } from './cli-tokens.service.js';
import { CliTokensStore } from './cli-tokens.store.js';
import type { Principal } from '../platform/access/principal.js';
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
  ) {}

  /** Whether an earlier verified credential is still valid; for responses that outlive their request. */
  isActive(accountId: AccountId, credential: Principal['credential']): Promise<boolean> {
    switch (credential.kind) {
      case 'cli-token':
        return this.cliTokens.isActive(accountId, credential.id);
      case 'session':
        return this.sessions.isActive(accountId, credential.id);
      default:
        return credential satisfies never;
    }
  }

  async end(manager: Transaction, accountId: AccountId, credential: Principal['credential']): Promise<void> {
    switch (credential.kind) {
      case 'cli-token':
        return this.cliTokensStore.revoke(manager, accountId, credential.id);
      case 'session':
        return this.sessionsStore.end(manager, accountId, credential.id);
      default:
        return credential satisfies never;
    }
  }

  /** Ends all sessions and CLI tokens of the user. Running feeds end at their next check. */
  async endAllOf(manager: Transaction, accountId: AccountId, userId: UserId): Promise<void> {
    await this.endSessionsOf(manager, accountId, userId);
    await this.cliTokensStore.revokeAllOf(manager, accountId, userId);
  }

  async endSessionsOf(manager: Transaction, accountId: AccountId, userId: UserId): Promise<void> {
    await this.sessionsStore.endAll(manager, accountId, userId);
  }
}
