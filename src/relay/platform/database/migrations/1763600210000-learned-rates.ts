import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Learned speeds of nodes, so that a restarted relay does not begin with guesses. */
export class LearnedRates1763600210000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE learned_rate (
        account_id text NOT NULL,
        node_id text NOT NULL,
        model_key text NOT NULL,
        rates jsonb NOT NULL,
        observed_at timestamptz NOT NULL,
        CONSTRAINT learned_rate_pk PRIMARY KEY (account_id, node_id, model_key),
        CONSTRAINT learned_rate_node_fk FOREIGN KEY (account_id, node_id) REFERENCES node (account_id, id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX learned_rate_observed ON learned_rate (observed_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE learned_rate');
  }
}
