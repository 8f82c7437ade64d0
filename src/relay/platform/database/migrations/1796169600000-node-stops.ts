import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a node that is offline was stopped in order; null: it was lost, or is online. */
export class NodeStops1796169600000 implements MigrationInterface {
  name = 'NodeStops1796169600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE node ADD COLUMN stopped_at timestamptz;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE node DROP COLUMN stopped_at;`);
  }
}
