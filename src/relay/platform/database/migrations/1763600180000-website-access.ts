import type { MigrationInterface, QueryRunner } from 'typeorm';

/** One-time links that sign the owner in on the website, and where a session was opened from. */
export class WebsiteAccess1763600180000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE console_link (
        account_id text NOT NULL,
        id text NOT NULL,
        digest bytea NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        used_at timestamptz,
        CONSTRAINT console_link_pk PRIMARY KEY (account_id, id),
        CONSTRAINT console_link_account_fk FOREIGN KEY (account_id) REFERENCES account (id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE UNIQUE INDEX console_link_id_key ON console_link (id)');
    await runner.query('ALTER TABLE session ADD COLUMN ip text, ADD COLUMN user_agent text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE session DROP COLUMN ip, DROP COLUMN user_agent');
    await runner.query('DROP TABLE console_link');
  }
}
