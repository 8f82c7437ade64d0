import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether an install loads its model afterwards: the command is sent again after a restart of the relay, and must say the same. */
export class LoadAfterInstall1763600160000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE operation ADD COLUMN load_after boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE operation DROP COLUMN load_after');
  }
}
