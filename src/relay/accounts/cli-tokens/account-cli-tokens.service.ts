import { Injectable } from '@nestjs/common';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { isCliTokenId, type AccountId } from '../../../kernel/ids.js';
import { AuditTrail } from '../audit/audit-trail.store.js';
import type { Principal } from '../../platform/access/principal.js';
import { lockAccount } from '../accounts.store.js';
import { CliTokensService } from '../cli-tokens.service.js';
import { CliTokensStore, type AccountCliToken } from '../cli-tokens.store.js';

/** All CLI tokens of an account, for its owners: those of every user, and the relay's own. */
@Injectable()
export class AccountCliTokensService {
  constructor(
    private readonly store: CliTokensStore,
    private readonly tokens: CliTokensService,
    private readonly audit: AuditTrail,
  ) {}

  list(accountId: AccountId): Promise<readonly AccountCliToken[]> {
    return this.store.listAll(accountId);
  }

  /** @throws FerryError `not_found` */
  async revoke(actor: Principal, id: string): Promise<AccountCliToken> {
    if (!isCliTokenId(id)) throw noSuchToken();
    const { accountId } = actor;
    return this.store.transaction(async (manager) => {
      await lockAccount(manager, accountId);
      const token = await this.store.findUsable(manager, accountId, id);
      if (token === undefined) throw noSuchToken();
      if (token.userId === null) await this.tokens.endBootstrap(manager, accountId);
      else await this.store.revoke(manager, accountId, id);
      await this.audit.record(manager, {
        accountId,
        actor,
        action: 'cli-token.revoke',
        object: { kind: 'cli-token', id },
        detail: { name: token.name, user_id: token.userId },
      });
      return token;
    });
  }
}

const noSuchToken = (): FerryError => new FerryError('not_found', 'There is no active CLI token with this id.');
