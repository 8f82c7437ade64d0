import { MigrationExecutor, type DataSource, type QueryRunner } from 'typeorm';

/**
 * Moves the schema within the transaction of the caller: removes everything, or applies single migrations. TypeORM's own transactions are
 * switched off, so that a restore is one transaction from the old rows to the new ones.
 */
export class SchemaVersions extends MigrationExecutor {
  constructor(dataSource: DataSource, runner: QueryRunner) {
    super(dataSource, runner);
    this.transaction = 'none';
  }

  /** Names of the migrations of this program, oldest first. */
  get known(): readonly string[] {
    return this.getMigrations().map(({ name }) => name);
  }

  /** Those of the database, oldest first. */
  async applied(): Promise<readonly string[]> {
    return (await this.getExecutedMigrations()).map(({ name }) => name).toReversed();
  }

  /** Drops the tables of Ferry, and nothing else. */
  async removeAll(): Promise<void> {
    for (let left = (await this.applied()).length; left > 0; left -= 1) await this.undoLastMigration();
  }

  /** Those that the database has are left out. */
  async apply(names: readonly string[]): Promise<void> {
    for (const migration of await this.getPendingMigrations()) {
      if (names.includes(migration.name)) await this.executeMigration(migration);
    }
  }
}
