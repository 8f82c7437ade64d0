import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Every credential belongs to a person or to the relay (docs/reference/security.md#when-credentials-end). Until now a command line that was
 * approved with the relay's token had no owner, so nothing ended it: it has to sign in again.
 */
export class CredentialOwners1763600230000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE cli_token ADD COLUMN bootstrap boolean NOT NULL DEFAULT false');
    // The relay's token is the only one that never expired.
    await runner.query('UPDATE cli_token SET bootstrap = true WHERE user_id IS NULL AND expires_at IS NULL');
    await runner.query('DELETE FROM cli_token WHERE user_id IS NULL AND NOT bootstrap');
    await runner.query(
      'ALTER TABLE cli_token ADD CONSTRAINT cli_token_owner_check CHECK ((user_id IS NULL) = bootstrap)',
    );
    await runner.query(`DELETE FROM device_login WHERE state = 'approved' AND user_id IS NULL`);

    await runner.query('ALTER TABLE join_token ADD COLUMN created_by text');
    await runner.query(`
      UPDATE join_token SET created_by = (
        SELECT e.actor_user_id FROM audit_event e
        WHERE e.account_id = join_token.account_id AND e.object_kind = 'join_token' AND e.object_id = join_token.id
          AND e.action = 'join_token.create'
        LIMIT 1)
      WHERE used_at IS NULL`);

    // A link is valid for 15 minutes, and another one is made by running `ferry up` again.
    await runner.query('DELETE FROM console_link');
    await runner.query(`
      ALTER TABLE console_link
        ADD COLUMN token_id text NOT NULL,
        ADD CONSTRAINT console_link_token_fk FOREIGN KEY (account_id, token_id)
          REFERENCES cli_token (account_id, id) ON DELETE CASCADE`);

    await runner.query(`
      CREATE TABLE removed_person (
        account_id text NOT NULL,
        digest bytea NOT NULL,
        removed_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT removed_person_pk PRIMARY KEY (account_id, digest),
        CONSTRAINT removed_person_account_fk FOREIGN KEY (account_id) REFERENCES account (id) ON DELETE CASCADE
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE removed_person');
    await runner.query('ALTER TABLE console_link DROP COLUMN token_id');
    await runner.query('ALTER TABLE join_token DROP COLUMN created_by');
    await runner.query('ALTER TABLE cli_token DROP CONSTRAINT cli_token_owner_check, DROP COLUMN bootstrap');
  }
}
