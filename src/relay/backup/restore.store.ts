import type { DataSource, QueryRunner } from 'typeorm';
import { SchemaVersions } from '../platform/database/schema-versions.js';
import { BackupError, type BackupRecord, type BackupTable, type RowCounts } from './backup-format.js';
import { backupTables } from './tables.js';
import { columnsOf, quoted } from './snapshot.store.js';

const BATCH_ROWS = 500;
const BATCH_BYTES = 1024 * 1024;

export interface RestoreOptions {
  /** Delete what the database holds. */
  readonly replace: boolean;
}

/** Loads a backup into a database, in one transaction: afterwards it holds all of the backup, or what it held before. */
export class RestoreStore {
  private readonly versions: SchemaVersions;

  constructor(
    dataSource: DataSource,
    private readonly runner: QueryRunner,
  ) {
    this.versions = new SchemaVersions(dataSource, runner);
  }

  /**
   * The schema is made as it was when the backup was taken, filled, and then migrated, so that migrations see the old rows.
   * @returns the rows by table, counted in the database
   * @throws BackupError when the backup does not fit, or the database is not empty
   */
  async restore(records: AsyncIterable<BackupRecord>, { replace }: RestoreOptions): Promise<RowCounts> {
    await this.runner.startTransaction();
    try {
      if (!replace) await this.requireEmpty();
      const counts = await this.load(records);
      await this.versions.apply(this.versions.known);
      await this.runner.commitTransaction();
      return counts;
    } catch (error) {
      await this.runner.rollbackTransaction();
      throw error;
    }
  }

  private async requireEmpty(): Promise<void> {
    if ((await columnsOf(this.runner, 'account')).length === 0) return;
    const accounts = await this.count('account');
    if (accounts === 0) return;
    const found = accounts === 1 ? 'an account' : `${accounts} accounts`;
    throw new BackupError(`the database is not empty: it has ${found}; --replace deletes all that is in it`);
  }

  private async load(records: AsyncIterable<BackupRecord>): Promise<RowCounts> {
    const counts: Record<string, number> = {};
    let batch: RowBatch | undefined;
    for await (const record of records) {
      switch (record.kind) {
        case 'header':
          await this.prepareSchema(record.header.migrations);
          break;
        case 'table':
          await this.requireTable(record.table);
          batch = new RowBatch(this.runner, record.table);
          break;
        case 'row':
          await batch?.add(record.json);
          break;
        case 'end':
          await batch?.write();
          counts[record.table] = await this.verify(record.table, record.rows);
          break;
        default:
          record satisfies never;
      }
    }
    return counts;
  }

  private async prepareSchema(migrations: readonly string[]): Promise<void> {
    const unknown = this.versions.unknownOf(migrations);
    if (unknown?.made === 'before_first_version') {
      throw new BackupError('the backup was made before Ferry 0.1.0: restore it with the version that made it');
    }
    if (unknown !== undefined) throw new BackupError('the backup has the schema of a newer Ferry: upgrade first');
    const refusal = await this.versions.refusal();
    if (refusal !== undefined) throw new BackupError(`the database ${refusal}`);
    await this.versions.removeAll();
    await this.versions.apply(migrations);
  }

  /** The names come from a file: only those of the schema become part of a statement. */
  private async requireTable({ name, columns }: BackupTable): Promise<void> {
    const expected = backupTables.includes(name) ? await columnsOf(this.runner, name) : [];
    if (expected.length !== columns.length || !columns.every((column) => expected.includes(column))) {
      throw new BackupError(`the backup is damaged: its table ${name} does not fit its schema`);
    }
  }

  private async verify(table: string, rows: number): Promise<number> {
    await this.continueSequences(table);
    const found = await this.count(table);
    if (found !== rows) throw new BackupError(`${rows} rows of ${table} became ${found} rows`);
    return found;
  }

  /** A row that is added later must not get the number of one that was restored. */
  private async continueSequences(table: string): Promise<void> {
    const serial = (await this.runner.query(
      `SELECT attname AS column, pg_get_serial_sequence($1, attname) AS sequence FROM pg_attribute
       WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped
         AND pg_get_serial_sequence($1, attname) IS NOT NULL`,
      [quoted(table)],
    )) as { column: string; sequence: string }[];
    for (const { column, sequence } of serial) {
      await this.runner.query(
        `SELECT setval($1::regclass, max(${quoted(column)})) FROM ${quoted(table)} HAVING max(${quoted(column)}) IS NOT NULL`,
        [sequence],
      );
    }
  }

  private async count(table: string): Promise<number> {
    const [row] = (await this.runner.query(`SELECT count(*)::int AS rows FROM ${quoted(table)}`)) as { rows: number }[];
    return row?.rows ?? 0;
  }
}

/** Rows of one table on their way into it, in statements of bounded size. */
class RowBatch {
  private rows: string[] = [];
  private bytes = 0;
  private readonly statement: string;

  constructor(
    private readonly runner: QueryRunner,
    { name, columns }: BackupTable,
  ) {
    const list = columns.map(quoted).join(', ');
    this.statement = `INSERT INTO ${quoted(name)} (${list}) SELECT ${list} FROM json_populate_recordset(NULL::${quoted(name)}, $1::json)`;
  }

  async add(json: string): Promise<void> {
    this.rows.push(json);
    this.bytes += json.length;
    if (this.rows.length >= BATCH_ROWS || this.bytes >= BATCH_BYTES) await this.write();
  }

  async write(): Promise<void> {
    if (this.rows.length === 0) return;
    const rows = `[${this.rows.join(',')}]`;
    this.rows = [];
    this.bytes = 0;
    await this.runner.query(this.statement, [rows]);
  }
}
