import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Accounts and what opens and groups them. Keys are composite with the account, so that a wrong pairing cannot be stored
 * (docs/reference/security.md#tenant-isolation).
 */
export class Accounts1763600000000 implements MigrationInterface {
  name = 'Accounts1763600000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE account (
        id text NOT NULL,
        name text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT account_pk PRIMARY KEY (id)
      )`);
    await queryRunner.query(`
      CREATE TABLE cluster (
        account_id text NOT NULL,
        id text NOT NULL,
        name text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT cluster_pk PRIMARY KEY (account_id, id),
        CONSTRAINT cluster_account_fk FOREIGN KEY (account_id) REFERENCES account (id) ON DELETE CASCADE
      )`);
    await queryRunner.query('CREATE UNIQUE INDEX cluster_name_key ON cluster (account_id, name)');
    await queryRunner.query(`
      CREATE TABLE api_key (
        account_id text NOT NULL,
        id text NOT NULL,
        digest bytea NOT NULL,
        name text NOT NULL,
        last4 text NOT NULL,
        scopes text[] NOT NULL,
        cluster_ids text[],
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz,
        revoked_at timestamptz,
        last_used_at timestamptz,
        CONSTRAINT api_key_pk PRIMARY KEY (account_id, id),
        CONSTRAINT api_key_account_fk FOREIGN KEY (account_id) REFERENCES account (id) ON DELETE CASCADE
      )`);
    await queryRunner.query('CREATE UNIQUE INDEX api_key_id_key ON api_key (id)');
    await queryRunner.query('CREATE UNIQUE INDEX api_key_digest_key ON api_key (digest)');
    await queryRunner.query(
      'CREATE UNIQUE INDEX api_key_name_key ON api_key (account_id, name) WHERE revoked_at IS NULL',
    );
    await queryRunner.query(`
      CREATE TABLE cli_token (
        account_id text NOT NULL,
        id text NOT NULL,
        digest bytea NOT NULL,
        name text NOT NULL,
        last4 text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz,
        revoked_at timestamptz,
        CONSTRAINT cli_token_pk PRIMARY KEY (account_id, id),
        CONSTRAINT cli_token_account_fk FOREIGN KEY (account_id) REFERENCES account (id) ON DELETE CASCADE
      )`);
    await queryRunner.query('CREATE UNIQUE INDEX cli_token_id_key ON cli_token (id)');
    await queryRunner.query('CREATE UNIQUE INDEX cli_token_digest_key ON cli_token (digest)');
    await queryRunner.query(`
      CREATE TABLE join_token (
        account_id text NOT NULL,
        id text NOT NULL,
        cluster_id text NOT NULL,
        hash bytea NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        used_at timestamptz,
        node_id text,
        CONSTRAINT join_token_pk PRIMARY KEY (account_id, id),
        CONSTRAINT join_token_cluster_fk FOREIGN KEY (account_id, cluster_id)
          REFERENCES cluster (account_id, id) ON DELETE CASCADE
      )`);
    await queryRunner.query('CREATE UNIQUE INDEX join_token_hash_key ON join_token (hash)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['join_token', 'cli_token', 'api_key', 'cluster', 'account']) {
      await queryRunner.query(`DROP TABLE ${table}`);
    }
  }
}
