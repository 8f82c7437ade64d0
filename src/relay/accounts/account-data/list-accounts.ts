/** `ferry accounts`: on the computer of the relay, which may run. */
import type { QueryRunner } from 'typeorm';
import { openRelayData } from '../../backup/relay-data.js';
import { readDatabase } from '../../backup/running-database.js';
import { columnsOf } from '../../backup/snapshot.store.js';
import type { Environment } from '../../platform/config/resolve-relay-config.js';

export interface ListedAccount {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  /** E-mail addresses of the owners, the oldest first, at most five. */
  readonly owners: readonly string[];
  readonly users: number;
  /** Without those that are revoked. */
  readonly nodes: number;
  /** Without those that are revoked or have expired. */
  readonly keys: number;
  /** Requests in the request log. */
  readonly lastRequestAt: Date | null;
}

/** The oldest first. @throws SettingsError · InstanceLockedError · BackupError · Error with one line · the signal's reason */
export async function listAccounts(env: Environment, signal?: AbortSignal): Promise<readonly ListedAccount[]> {
  const { result } = await readDatabase(await openRelayData(env), ({ runner }) => readAccounts(runner), signal);
  return result;
}

export async function readAccounts(runner: QueryRunner): Promise<readonly ListedAccount[]> {
  if ((await columnsOf(runner, 'account')).length === 0) return [];
  return (await runner.query(
    `SELECT a.id, a.name, a.created_at AS "createdAt",
       ARRAY(SELECT email FROM "user" WHERE account_id = a.id AND role = 'owner' ORDER BY created_at, id LIMIT 5) AS owners,
       (SELECT count(*)::int FROM "user" WHERE account_id = a.id) AS users,
       (SELECT count(*)::int FROM node WHERE account_id = a.id AND state <> 'revoked') AS nodes,
       (SELECT count(*)::int FROM api_key WHERE account_id = a.id AND revoked_at IS NULL
          AND (expires_at IS NULL OR expires_at > now())) AS keys,
       (SELECT max(started_at) FROM request_log WHERE account_id = a.id) AS "lastRequestAt"
     FROM account a ORDER BY a.created_at, a.id`,
  )) as ListedAccount[];
}
