import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which nodes have a model: asked by the foreign key whenever a model goes, and before it. Without an index each time all were read. */
export class ModelIndex1763600150000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX node_model_selector ON node_model (account_id, selector)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX node_model_selector');
  }
}
