import { Injectable } from '@nestjs/common';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { isCliTokenId, isSessionId, type UserId } from '../../../kernel/ids.js';
import { AuditTrail } from '../audit/audit-trail.store.js';
import type { Principal } from '../../platform/access/principal.js';
import { CliTokensStore, type ListedCliToken } from '../cli-tokens.store.js';
import { UsersStore } from '../users/users.store.js';
import { SessionsService } from './sessions.service.js';
import { SessionsStore, type ListedSession } from './sessions.store.js';

/** A user is signed in with one of these. */
export type UserCredential =
  | ({ readonly kind: 'session' } & ListedSession)
  | ({ readonly kind: 'cli-token' } & ListedCliToken);

/** A user's own sessions and CLI tokens, to look through and to end one by one. */
@Injectable()
export class UserCredentialsService {
  constructor(
    private readonly sessions: SessionsService,
    private readonly sessionsStore: SessionsStore,
    private readonly cliTokens: CliTokensStore,
    private readonly users: UsersStore,
    private readonly audit: AuditTrail,
  ) {}

  /** @throws FerryError `invalid_request` for the relay's own token, which has no user */
  async list(actor: Principal): Promise<readonly UserCredential[]> {
    const userId = userOf(actor);
    const [sessions, tokens] = await Promise.all([
      this.sessions.list(actor.accountId, userId),
      this.cliTokens.list(actor.accountId, userId),
    ]);
    return [
      ...sessions.map((session) => ({ kind: 'session' as const, ...session })),
      ...tokens.map((token) => ({ kind: 'cli-token' as const, ...token })),
    ];
  }

  /** @throws FerryError `not_found`, also for a credential of another user */
  async end(actor: Principal, id: string): Promise<void> {
    const userId = userOf(actor);
    const { accountId } = actor;
    await this.users.transaction(async (manager) => {
      const ended = isSessionId(id)
        ? await this.sessionsStore.endOf(manager, accountId, userId, id)
        : isCliTokenId(id) && (await this.cliTokens.revokeOf(manager, accountId, userId, id));
      if (!ended) throw new FerryError('not_found', 'You have no session or CLI token with this id.');
      const kind = isSessionId(id) ? 'session' : 'cli-token';
      await this.audit.record(manager, {
        accountId,
        actor,
        action: kind === 'session' ? 'session.delete' : 'cli-token.revoke',
        object: { kind, id },
      });
    });
  }
}

function userOf({ userId }: Principal): UserId {
  if (userId === null) throw new FerryError('invalid_request', 'This credential does not belong to a user.');
  return userId;
}
