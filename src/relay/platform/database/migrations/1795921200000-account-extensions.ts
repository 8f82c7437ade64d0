import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Extensions of the public API that the owner of an account has switched on or off. */
export class AccountExtensions1795921200000 implements MigrationInterface {
  name = 'AccountExtensions1795921200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE account ADD COLUMN extensions jsonb NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE account DROP COLUMN extensions');
  }
}
