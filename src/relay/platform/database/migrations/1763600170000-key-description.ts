import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A note of people about what an API key is for; NULL: none. */
export class KeyDescription1763600170000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE api_key ADD COLUMN description text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE api_key DROP COLUMN description');
  }
}
