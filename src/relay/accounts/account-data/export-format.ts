/**
 * The export of an account is a file like a backup (../backup/backup-format.ts) with another header. It cannot be restored: credentials
 * are not in it.
 */
import { z } from 'zod';
import { parseJson } from '../../../kernel/json-object.js';
import { ACCOUNT_EXPORT, BackupError, type TableRecord } from '../../backup/backup-format.js';
import { readTables } from '../../backup/read-backup.js';

export const ACCOUNT_EXPORT_VERSION = 1;

const exportHeader = z.object({
  format: z.literal(ACCOUNT_EXPORT),
  version: z.number().int(),
  /** The version of the program that wrote it. */
  ferry_version: z.string(),
  created_at: z.string(),
  account: z.object({ id: z.string(), name: z.string() }),
});
export type ExportHeader = z.infer<typeof exportHeader>;

/** @throws BackupError */
export const readExport = (source: AsyncIterable<Buffer | string>): AsyncGenerator<TableRecord<ExportHeader>> =>
  readTables(source, (line) => {
    const header = exportHeader.safeParse(parseJson(line)).data;
    if (header === undefined) throw new BackupError('this is not the export of an account');
    return header;
  });
