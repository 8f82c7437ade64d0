import type { QueryRunner } from 'typeorm';
import { backupTables } from './tables.js';
import type { BackupTable } from './backup-format.js';
import type { BackupSource } from './write-backup.js';

const FIRST_FETCH_ROWS = 50;
const MAX_FETCH_ROWS = 1_000;
/** About how much text one fetch brings, so that long rows are read a few at a time. */
const FETCH_BYTES = 1024 * 1024;

/** Reads all tables in one transaction: every row is of the same moment, whatever the relays write meanwhile. */
export class DatabaseSnapshot implements BackupSource {
  private constructor(
    private readonly runner: QueryRunner,
    private readonly signal: AbortSignal | undefined,
  ) {}

  /** @param signal ends it between two fetches */
  static async open(runner: QueryRunner, signal?: AbortSignal): Promise<DatabaseSnapshot> {
    await runner.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await runner.query(`SET LOCAL TIME ZONE 'UTC'`);
    return new DatabaseSnapshot(runner, signal);
  }

  /** Counts the rows of all tables. Reads each of them once, so it is only for the progress of a long copy. */
  async countRows(): Promise<number> {
    let total = 0;
    for (const { name } of await this.tables()) {
      const [row] = (await this.runner.query(`SELECT count(*)::int AS rows FROM ${quoted(name)}`)) as {
        rows: number;
      }[];
      total += row?.rows ?? 0;
    }
    return total;
  }

  async close(): Promise<void> {
    await this.runner.query('ROLLBACK');
  }

  async migrations(): Promise<readonly string[]> {
    const rows = (await this.runner.query('SELECT name FROM migration ORDER BY timestamp')) as { name: string }[];
    return rows.map(({ name }) => name);
  }

  /** Returns the tables that the database has, whose schema may be an older one. */
  async tables(): Promise<readonly BackupTable[]> {
    const tables: BackupTable[] = [];
    for (const name of backupTables) {
      const columns = await columnsOf(this.runner, name);
      if (columns.length > 0) tables.push({ name, columns });
    }
    return tables;
  }

  /** Empty: there is no such table. */
  columns(table: string): Promise<readonly string[]> {
    return columnsOf(this.runner, table);
  }

  rows({ name }: BackupTable): AsyncGenerator<readonly string[]> {
    return this.select(`SELECT * FROM ${quoted(name)}`);
  }

  /** JSON text of the rows of a query, in batches of bounded size. One at a time. */
  async *select(query: string, parameters: readonly string[] = []): AsyncGenerator<readonly string[]> {
    await this.runner.query(
      `DECLARE backup_rows NO SCROLL CURSOR FOR SELECT row_to_json(t)::text AS json FROM (${query}) t`,
      [...parameters],
    );
    let fetch = FIRST_FETCH_ROWS;
    for (;;) {
      this.signal?.throwIfAborted();
      const rows = (await this.runner.query(`FETCH ${fetch} FROM backup_rows`)) as { json: string }[];
      if (rows.length === 0) break;
      const texts = rows.map(({ json }) => json);
      yield texts;
      const rowBytes = texts.reduce((sum, text) => sum + text.length, 0) / texts.length;
      fetch = Math.min(MAX_FETCH_ROWS, Math.max(1, Math.floor(FETCH_BYTES / rowBytes)));
    }
    await this.runner.query('CLOSE backup_rows');
  }
}

/** Empty: there is no such table. */
export async function columnsOf(runner: QueryRunner, table: string): Promise<readonly string[]> {
  const rows = (await runner.query(
    `SELECT attname AS name FROM pg_attribute
     WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum`,
    [quoted(table)],
  )) as { name: string }[];
  return rows.map(({ name }) => name);
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
