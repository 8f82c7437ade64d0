import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Notes and tags that people give to a node. */
export class NodeNotes1796083200000 implements MigrationInterface {
  name = 'NodeNotes1796083200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE node ADD COLUMN note text;
      ALTER TABLE node ADD COLUMN tags text[] NOT NULL DEFAULT '{}';`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE node DROP COLUMN note, DROP COLUMN tags;`);
  }
}
