import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { AccountId, UserId } from '../../../kernel/ids.js';

/** The same for a person everywhere, so that what they did stays together. */
const pseudonymOf = (id: UserId): string => `removed-${id.slice(-8).toLowerCase()}`;

export interface Erasure {
  readonly pseudonym: string;
  /** Events of the audit trail by or about the person. */
  readonly events: number;
}

/**
 * Replaces the names and e-mail addresses of a removed person by a pseudonym (docs/guide/accounts.md#erase-a-removed-person). What
 * others did to their tokens and to their requests from the website names them, too.
 */
@Injectable()
export class ErasureStore {
  /** @returns undefined when the account never had such a person */
  async erase(manager: EntityManager, accountId: AccountId, id: UserId): Promise<Erasure | undefined> {
    const pseudonym = pseudonymOf(id);
    // The trigger of the table refuses UPDATE without this setting.
    await manager.query(`SELECT set_config('ferry.audit_erasure', 'on', true)`);
    const [{ changed }] = await manager.query<[{ changed: number }]>(
      `WITH changed AS (
         UPDATE audit_event SET
           actor_name = CASE WHEN actor_user_id = $2 THEN $3 ELSE actor_name END,
           detail = CASE
             WHEN object_id = $2 AND detail ? 'email' THEN detail || jsonb_build_object('email', $3::text)
             WHEN object_id = $2 AND action = 'user.rename' THEN detail || jsonb_build_object('from', $3::text, 'to', $3::text)
             WHEN detail ->> 'key_id' = $2 THEN detail || jsonb_build_object('key', 'Website (' || $3 || ')')
             WHEN detail ->> 'user_id' = $2 AND detail ? 'name' THEN detail || jsonb_build_object('name', $3::text)
             ELSE detail END
         WHERE account_id = $1
           AND (actor_user_id = $2 OR object_id = $2 OR detail ->> 'key_id' = $2 OR detail ->> 'user_id' = $2)
         RETURNING 1)
       SELECT count(*)::int AS changed FROM changed`,
      [accountId, id, pseudonym],
    );
    await manager.query(`SELECT set_config('ferry.audit_erasure', 'off', true)`);
    if (changed === 0) return undefined;
    // Requests from the website are under the name `Website (…)`.
    await manager.query(
      `UPDATE usage_name SET name = regexp_replace(name, '\\(.*\\)$', '(' || $3 || ')') WHERE account_id = $1 AND kind = 'key' AND id = $2`,
      [accountId, id, pseudonym],
    );
    return { pseudonym, events: changed };
  }
}
