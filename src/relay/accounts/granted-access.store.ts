import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { AccountId, UserId } from '../../kernel/ids.js';
import { roles, type Role } from '../platform/access/principal.js';

/** Roles from low to high, as SQL. */
export const RANKED_ROLES = `ARRAY['${roles.join("', '")}']`;

/**
 * What somebody has handed out and nobody has used yet: invites, join tokens, approved device logins. It ends with its creator
 * (docs/reference/security.md#when-credentials-end). The table of join tokens is named here, because its feature is above this one, and a
 * reset on the relay's computer runs without it.
 */
@Injectable()
export class GrantedAccessStore {
  async endAllOf(manager: EntityManager, accountId: AccountId, userId: UserId): Promise<void> {
    await endInvites(manager, accountId, userId);
    await endJoinTokens(manager, accountId, userId);
    // Denied, not deleted: the waiting command line is told at once.
    await manager.query(
      `UPDATE device_login SET state = 'denied' WHERE account_id = $1 AND user_id = $2 AND state = 'approved'`,
      [accountId, userId],
    );
  }

  /** Ends access that a user with this role may not give. Approved device logins stay: their tokens get the lower role. */
  async endAbove(manager: EntityManager, accountId: AccountId, userId: UserId, role: Role): Promise<void> {
    if (role === 'member') {
      await endInvites(manager, accountId, userId);
      await endJoinTokens(manager, accountId, userId);
      return;
    }
    await manager.query(
      `DELETE FROM invite WHERE account_id = $1 AND created_by = $2 AND used_at IS NULL
         AND array_position(${RANKED_ROLES}, role) > array_position(${RANKED_ROLES}, $3::text)`,
      [accountId, userId, role],
    );
  }

  /** Invites and join tokens of the relay's own token. */
  async endAllOfRelay(manager: EntityManager, accountId: AccountId): Promise<void> {
    await endInvites(manager, accountId, null);
    await endJoinTokens(manager, accountId, null);
  }
}

const endInvites = (manager: EntityManager, accountId: AccountId, creator: UserId | null): Promise<unknown> =>
  manager.query('DELETE FROM invite WHERE account_id = $1 AND created_by IS NOT DISTINCT FROM $2 AND used_at IS NULL', [
    accountId,
    creator,
  ]);

const endJoinTokens = (manager: EntityManager, accountId: AccountId, creator: UserId | null): Promise<unknown> =>
  manager.query(
    'DELETE FROM join_token WHERE account_id = $1 AND created_by IS NOT DISTINCT FROM $2 AND used_at IS NULL',
    [accountId, creator],
  );
