import { MigrationExecutor, type DataSource, type QueryRunner } from 'typeorm';

export interface UnknownMigrations {
  readonly names: readonly string[];
  readonly made: 'before_first_version' | 'by_newer_version';
}

/** Every name ends with its time, in milliseconds. */
const timeOf = (name: string): number => Number(/\d{13}$/.exec(name)?.[0] ?? Number.POSITIVE_INFINITY);

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

  /** Returns the migrations of the database, oldest first. */
  async applied(): Promise<readonly string[]> {
    return (await this.getExecutedMigrations()).map(({ name }) => name).toReversed();
  }

  /** Why this program cannot use the schema of the database, to complete "it …". undefined: it can. */
  async refusal(): Promise<string | undefined> {
    const unknown = this.unknownOf(await this.applied());
    switch (unknown?.made) {
      case undefined:
        return undefined;
      case 'before_first_version':
        return 'was made before Ferry 0.1.0, and no later version reads it: start the version that made it, or begin with an empty database';
      case 'by_newer_version':
        return `has the schema of a newer Ferry (${unknown.names.join(', ')}): start the newer version, or restore a backup that this one made`;
    }
  }

  /** Returns the migrations that this program does not have; undefined when it has them all. */
  unknownOf(names: readonly string[]): UnknownMigrations | undefined {
    const { known } = this;
    const unknown = names.filter((name) => !known.includes(name));
    if (unknown.length === 0) return undefined;
    const isEarly = unknown.some((name) => timeOf(name) < timeOf(known[0] ?? ''));
    return { names: unknown, made: isEarly ? 'before_first_version' : 'by_newer_version' };
  }

  /** Drops the tables of Ferry, and nothing else. */
  async removeAll(): Promise<void> {
    for (let left = (await this.applied()).length; left > 0; left -= 1) await this.undoLastMigration();
  }

  /** Migrations that the database has are left out. */
  async apply(names: readonly string[]): Promise<void> {
    for (const migration of await this.getPendingMigrations()) {
      if (names.includes(migration.name)) await this.executeMigration(migration);
    }
  }
}
