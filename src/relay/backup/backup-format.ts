/**
 * A backup is gzipped NDJSON, independent of the database that it came from (docs/operate/backup.md#format):
 *
 *   {"format":"ferry-backup", …}                header
 *   {"table":"account","columns":["id", …]}     begins a table
 *   {"row":{"id":"acc_…", …}}                   one per row, as Postgres' row_to_json writes it
 *   {"end":"account","rows":1}
 *   {"complete":{"rows":1,"sha256":"…"}}        digest of all bytes before this line
 */
import { AdvisedError } from '../../kernel/errors/advised-error.js';
import { z } from 'zod';

export const BACKUP_FORMAT_VERSION = 1;

/** Format of the export of one account: no backup, but of the same shape. */
export const ACCOUNT_EXPORT = 'ferry-account-export';

/** The longest line that is read: a row with a stored idempotent response is far below. */
export const LINE_LIMIT_BYTES = 64 * 1024 * 1024;

export const ROW_START = '{"row":';

export const backupHeader = z.object({
  format: z.literal('ferry-backup'),
  version: z.number().int(),
  /** The version of the program that wrote it. */
  ferry_version: z.string(),
  created_at: z.string(),
  /** Names of the migrations that the database had, oldest first: its schema. */
  migrations: z.array(z.string()),
  /** Present only with `--with-secret`. */
  secret: z.string().optional(),
});
export type BackupHeader = z.infer<typeof backupHeader>;

export const tableLine = z.object({ table: z.string(), columns: z.array(z.string()) });
export const endLine = z.object({ end: z.string(), rows: z.number().int() });
export const completeLine = z.object({ complete: z.object({ rows: z.number().int(), sha256: z.string() }) });

export interface BackupTable {
  readonly name: string;
  readonly columns: readonly string[];
}

/** A line of a backup, or of another file of tables with a header of its own. */
export type TableRecord<Header> =
  | { readonly kind: 'header'; readonly header: Header }
  | { readonly kind: 'table'; readonly table: BackupTable }
  /** JSON text of an object, not parsed: numbers of 64 bits would lose digits. */
  | { readonly kind: 'row'; readonly json: string }
  | { readonly kind: 'end'; readonly table: string; readonly rows: number };

export type BackupRecord = TableRecord<BackupHeader>;

/** Rows by table. */
export type RowCounts = Readonly<Record<string, number>>;

/** A backup that cannot be read, or does not fit. The message fits one line. */
export class BackupError extends AdvisedError {
  override readonly name = 'BackupError';
}
