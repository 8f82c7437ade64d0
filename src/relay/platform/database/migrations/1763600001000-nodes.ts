import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Nodes1763600001000 implements MigrationInterface {
  name = 'Nodes1763600001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE node (
        account_id text NOT NULL,
        id text NOT NULL,
        cluster_id text NOT NULL,
        name text NOT NULL,
        public_key bytea NOT NULL,
        state text NOT NULL,
        epoch bigint NOT NULL DEFAULT 0,
        platform text NOT NULL,
        agent_version text NOT NULL,
        last_seen_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT node_pk PRIMARY KEY (account_id, id),
        CONSTRAINT node_account_fk FOREIGN KEY (account_id) REFERENCES account (id) ON DELETE CASCADE,
        CONSTRAINT node_cluster_fk FOREIGN KEY (account_id, cluster_id) REFERENCES cluster (account_id, id),
        CONSTRAINT node_state_check CHECK (state IN ('pending', 'active', 'revoked'))
      )`);
    await runner.query('CREATE UNIQUE INDEX node_id_key ON node (id)');
    await runner.query(`
      CREATE TABLE used_nonce (
        hash bytea NOT NULL,
        used_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT used_nonce_pk PRIMARY KEY (hash)
      )`);
    await runner.query('CREATE INDEX used_nonce_used_at ON used_nonce (used_at)');
    await runner.query(`
      CREATE TABLE model (
        account_id text NOT NULL,
        selector text NOT NULL,
        first_seen timestamptz NOT NULL,
        CONSTRAINT model_pk PRIMARY KEY (account_id, selector),
        CONSTRAINT model_account_fk FOREIGN KEY (account_id) REFERENCES account (id) ON DELETE CASCADE
      )`);
    await runner.query(`
      CREATE TABLE node_model (
        account_id text NOT NULL,
        node_id text NOT NULL,
        selector text NOT NULL,
        display_name text NOT NULL,
        canonical_name text NOT NULL,
        CONSTRAINT node_model_pk PRIMARY KEY (account_id, node_id, selector),
        CONSTRAINT node_model_node_fk FOREIGN KEY (account_id, node_id) REFERENCES node (account_id, id) ON DELETE CASCADE,
        CONSTRAINT node_model_model_fk FOREIGN KEY (account_id, selector) REFERENCES model (account_id, selector)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['node_model', 'model', 'used_nonce', 'node']) await runner.query(`DROP TABLE ${table}`);
  }
}
