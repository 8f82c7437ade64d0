import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Several relays change one operation: by its version, and each reads what the others have changed. */
export class OperationVersions1763600200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE operation
        ADD COLUMN version integer NOT NULL DEFAULT 1,
        ADD COLUMN changed_at timestamptz NOT NULL DEFAULT now()`);
    await runner.query('CREATE INDEX operation_changed ON operation (changed_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE operation DROP COLUMN version, DROP COLUMN changed_at');
  }
}
