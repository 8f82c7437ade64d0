import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Slots and memory of each node over time, one row a minute. */
export class NodeSamples1795900001000 implements MigrationInterface {
  name = 'NodeSamples1795900001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE node_sample (
        account_id text NOT NULL,
        node_id text NOT NULL,
        at timestamptz NOT NULL,
        slots_used real NOT NULL,
        slots_total integer NOT NULL,
        memory_used_bytes bigint,
        memory_total_bytes bigint,
        gpu_used_bytes bigint,
        gpu_total_bytes bigint,
        CONSTRAINT node_sample_pk PRIMARY KEY (account_id, node_id, at),
        CONSTRAINT node_sample_node_fk FOREIGN KEY (account_id, node_id) REFERENCES node (account_id, id) ON DELETE CASCADE
      );
      CREATE INDEX node_sample_at ON node_sample (at);`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE node_sample;');
  }
}
