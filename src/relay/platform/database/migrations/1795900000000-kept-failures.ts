import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What is known of failures stays: the requested model and the words of an error in the request log, explanations of requests beyond the
 * life of a relay process, and which failed operations and rolled keys need no attention any more.
 */
export class KeptFailures1795900000000 implements MigrationInterface {
  name = 'KeptFailures1795900000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE request_log ADD COLUMN requested_model text, ADD COLUMN message text;
      ALTER TABLE operation ADD COLUMN dismissed_at timestamptz;
      ALTER TABLE api_key ADD COLUMN rolled_at timestamptz;
      CREATE TABLE request_explanation (
        account_id text NOT NULL,
        id text NOT NULL,
        ended_at timestamptz NOT NULL,
        record jsonb NOT NULL,
        CONSTRAINT request_explanation_pk PRIMARY KEY (account_id, id),
        CONSTRAINT request_explanation_account_fk FOREIGN KEY (account_id) REFERENCES account (id) ON DELETE CASCADE
      );
      -- Retention keeps the newest of each account.
      CREATE INDEX request_explanation_ended ON request_explanation (account_id, ended_at, id);`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE request_explanation;
      ALTER TABLE api_key DROP COLUMN rolled_at;
      ALTER TABLE operation DROP COLUMN dismissed_at;
      ALTER TABLE request_log DROP COLUMN requested_model, DROP COLUMN message;`);
  }
}
