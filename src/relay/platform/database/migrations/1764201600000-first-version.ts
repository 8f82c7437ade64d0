import type { MigrationInterface, QueryRunner } from 'typeorm';
import { accountTables } from './first-version/account-tables.js';
import { auditTables } from './first-version/audit-tables.js';
import { credentialTables } from './first-version/credential-tables.js';
import { nodeTables } from './first-version/node-tables.js';
import { usageTables } from './first-version/usage-tables.js';

/**
 * The schema of 0.1.0, the first version whose data later ones read. Keys are composite with the account, so that a wrong pairing cannot be
 * stored (docs/reference/security.md#tenant-isolation).
 */
export class FirstVersion1764201600000 implements MigrationInterface {
  name = 'FirstVersion1764201600000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statements of [accountTables, credentialTables, nodeTables, auditTables, usageTables]) {
      await runner.query(statements);
    }
  }

  /** Tables that refer to others go first. A schema may hold tables of other programs. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE idempotent_request, usage_name, usage_hour, request_log, audit_event, learned_rate, operation, node_model, model,
        used_nonce, device_code, node, console_link, join_token, cli_token, api_key, device_login, sign_in_failure, removed_person,
        invite, session, "user", cluster, account;
      DROP FUNCTION audit_event_is_append_only;`);
  }
}
