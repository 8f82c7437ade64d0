import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Errors by code, which the usage page counts: without an index all requests of its range were read, of which few have failed. */
export class FailedRequests1763600190000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE INDEX request_log_failed ON request_log (account_id, started_at, code) WHERE code IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX request_log_failed');
  }
}
