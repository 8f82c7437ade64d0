import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Operations1763600002000 implements MigrationInterface {
  name = 'Operations1763600002000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE operation (
        account_id text NOT NULL,
        id text NOT NULL,
        node_id text NOT NULL,
        node_name text NOT NULL,
        kind text NOT NULL,
        subject text NOT NULL,
        engine text,
        model_key text,
        model text,
        source text,
        context_tokens integer,
        state text NOT NULL,
        phase text,
        completed_bytes bigint,
        total_bytes bigint,
        failure_code text,
        failure_message text,
        cancel_requested boolean NOT NULL DEFAULT false,
        created_by text,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL,
        finished_at timestamptz,
        CONSTRAINT operation_pk PRIMARY KEY (account_id, id),
        CONSTRAINT operation_account_fk FOREIGN KEY (account_id) REFERENCES account (id) ON DELETE CASCADE,
        CONSTRAINT operation_node_fk FOREIGN KEY (account_id, node_id) REFERENCES node (account_id, id) ON DELETE CASCADE,
        CONSTRAINT operation_kind_check CHECK (kind IN ('install', 'load', 'unload', 'remove')),
        CONSTRAINT operation_state_check CHECK (state IN ('queued', 'running', 'succeeded', 'failed', 'cancelled'))
      )`);
    await runner.query(
      `CREATE UNIQUE INDEX operation_live_key ON operation (account_id, node_id, subject) WHERE state IN ('queued', 'running')`,
    );
    await runner.query('CREATE INDEX operation_created ON operation (account_id, created_at, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE operation');
  }
}
