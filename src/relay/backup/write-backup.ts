import { createHash } from 'node:crypto';
import { BACKUP_FORMAT_VERSION, ROW_START, type BackupHeader, type BackupTable } from './backup-format.js';

/** A consistent view of tables. */
export interface TableSource {
  tables(): Promise<readonly BackupTable[]>;
  /** JSON text of the rows, in batches of bounded size. */
  rows(table: BackupTable): AsyncIterable<readonly string[]>;
}

/** A consistent view of the database. */
export interface BackupSource extends TableSource {
  migrations(): Promise<readonly string[]>;
}

export interface BackupFacts {
  readonly ferryVersion: string;
  readonly createdAt: Date;
  readonly secret: string | undefined;
}

/** The text of a backup, in pieces of about one batch of rows. */
export async function* writeBackup(
  source: BackupSource,
  facts: BackupFacts,
  onRows?: (done: number) => void,
): AsyncGenerator<string> {
  const header: BackupHeader = {
    format: 'ferry-backup',
    version: BACKUP_FORMAT_VERSION,
    ferry_version: facts.ferryVersion,
    created_at: facts.createdAt.toISOString(),
    migrations: [...(await source.migrations())],
    ...(facts.secret === undefined ? {} : { secret: facts.secret }),
  };
  yield* writeTables(source, header, onRows);
}

/** The same with another header: see backup-format.ts. */
export async function* writeTables(
  source: TableSource,
  header: object,
  onRows?: (done: number) => void,
): AsyncGenerator<string> {
  const digest = createHash('sha256');
  const written = (text: string): string => {
    digest.update(text);
    return text;
  };
  yield written(`${JSON.stringify(header)}\n`);
  let total = 0;
  for (const table of await source.tables()) {
    yield written(`${JSON.stringify({ table: table.name, columns: table.columns })}\n`);
    let rows = 0;
    for await (const batch of source.rows(table)) {
      rows += batch.length;
      yield written(batch.map((json) => `${ROW_START}${json}}\n`).join(''));
      onRows?.(total + rows);
    }
    yield written(`${JSON.stringify({ end: table.name, rows })}\n`);
    total += rows;
  }
  yield `${JSON.stringify({ complete: { rows: total, sha256: digest.digest('hex') } })}\n`;
}
