import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Idempotency1763600130000 implements MigrationInterface {
  name = 'Idempotency1763600130000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE idempotent_request (
        account_id text NOT NULL,
        key_digest bytea NOT NULL,
        parameters_digest bytea NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        status integer,
        answer bytea,
        CONSTRAINT idempotent_request_pk PRIMARY KEY (account_id, key_digest),
        CONSTRAINT idempotent_request_account_fk FOREIGN KEY (account_id) REFERENCES account (id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX idempotent_request_retention ON idempotent_request (created_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE idempotent_request');
  }
}
