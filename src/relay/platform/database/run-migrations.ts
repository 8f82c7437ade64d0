import { DataSource, MigrationExecutor, type DataSourceOptions } from 'typeorm';

/** One number for every relay on one database: whoever holds it migrates, the others wait and find nothing left to do. */
const MIGRATION_LOCK = 7_238_110_514;

/**
 * Brings the schema up to date under an advisory lock, on ONE connection: with a pool of one, a second one (which
 * TypeORM's own `migrationsRun` would take) waits for ever.
 */
export async function runMigrations(options: DataSourceOptions): Promise<void> {
  const dataSource = await new DataSource({ ...options, entities: [] }).initialize();
  try {
    const queryRunner = dataSource.createQueryRunner();
    try {
      await queryRunner.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
      const executor = new MigrationExecutor(dataSource, queryRunner);
      // One transaction each: those that succeeded before a failure stay, and the next start goes on from there.
      executor.transaction = 'each';
      await executor.executePendingMigrations();
      await queryRunner.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    } finally {
      // Ends the session's lock too, should the line above not have been reached: the connection closes with the data source.
      await queryRunner.release();
    }
  } finally {
    await dataSource.destroy();
  }
}
