import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { z } from 'zod';
import { parseJson } from '../../kernel/json-object.js';
import {
  ACCOUNT_EXPORT,
  BACKUP_FORMAT_VERSION,
  backupHeader,
  BackupError,
  completeLine,
  endLine,
  LINE_LIMIT_BYTES,
  ROW_START,
  tableLine,
  type BackupHeader,
  type BackupRecord,
  type RowCounts,
  type TableRecord,
} from './backup-format.js';

export interface CheckedFile<Header> {
  readonly header: Header;
  readonly counts: RowCounts;
}

/** Reads the whole backup. @throws BackupError when it is damaged or not complete · an AbortError */
export const checkBackup = (file: string, signal?: AbortSignal): Promise<CheckedFile<BackupHeader>> =>
  checkRecords(readBackup(readBackupFile(file, signal)));

/** @throws BackupError as the records do, and when there are none */
export async function checkRecords<Header>(records: AsyncIterable<TableRecord<Header>>): Promise<CheckedFile<Header>> {
  let header: Header | undefined;
  const counts: Record<string, number> = {};
  for await (const record of records) {
    if (record.kind === 'header') ({ header } = record);
    else if (record.kind === 'end') counts[record.table] = record.rows;
  }
  if (header === undefined) throw new BackupError('the file is empty');
  return { header, counts };
}

/** @throws BackupError when it is no gzip file, or is cut off · the system's error when it cannot be read */
export async function* readBackupFile(file: string, signal?: AbortSignal): AsyncGenerator<Buffer> {
  const compressed = createReadStream(file, { signal });
  const gunzip = createGunzip();
  compressed.on('error', (error) => gunzip.destroy(error));
  try {
    for await (const chunk of compressed.pipe(gunzip)) yield chunk as Buffer;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code?.startsWith('Z_') === true)
      throw new BackupError(`${file} is damaged: ${message}`, undefined, { cause: error });
    throw error;
  } finally {
    compressed.destroy();
  }
}

/** The records of a backup. @throws BackupError */
export const readBackup = (source: AsyncIterable<Buffer | string>): AsyncGenerator<BackupRecord> =>
  readTables(source, headerOf);

/**
 * Header and tables of a file, in bounded memory. Counts and digest are known to be right only when it has ended without an error.
 * @param parseHeader throws a BackupError for a file of another kind
 * @throws BackupError
 */
export async function* readTables<Header>(
  source: AsyncIterable<Buffer | string>,
  parseHeader: (line: string) => Header,
): AsyncGenerator<TableRecord<Header>> {
  const digest = createHash('sha256');
  let started = false;
  let table: string | undefined;
  let rows = 0;
  let total = 0;
  let complete = false;
  for await (const line of linesOf(source)) {
    if (complete) throw new BackupError('the file is damaged: it goes on after its end');
    if (started && table === undefined && line.startsWith('{"complete":')) {
      const { rows: expected, sha256 } = parsed(completeLine, line).complete;
      if (sha256 !== digest.digest('hex') || expected !== total) {
        throw new BackupError('the file is damaged: its checksum does not match');
      }
      complete = true;
      continue;
    }
    digest.update(line).update('\n');
    if (!started) {
      started = true;
      yield { kind: 'header', header: parseHeader(line) };
    } else if (table === undefined) {
      const { table: name, columns } = parsed(tableLine, line);
      table = name;
      rows = 0;
      yield { kind: 'table', table: { name, columns } };
    } else if (line.startsWith(ROW_START)) {
      rows += 1;
      total += 1;
      yield { kind: 'row', json: line.slice(ROW_START.length, -1) };
    } else {
      const end = parsed(endLine, line);
      if (end.end !== table || end.rows !== rows) throw new BackupError(`the file is damaged: rows of ${table} miss`);
      yield { kind: 'end', table, rows };
      table = undefined;
    }
  }
  if (!complete) throw new BackupError('the file is not complete');
}

const exportLine = z.object({ format: z.literal(ACCOUNT_EXPORT) });

function headerOf(line: string): BackupHeader {
  const parsedLine = parseJson(line);
  const header = backupHeader.safeParse(parsedLine).data;
  if (exportLine.safeParse(parsedLine).success) {
    throw new BackupError('this is the export of an account, which cannot be restored');
  }
  if (header === undefined) throw new BackupError('this is not a backup of Ferry');
  if (header.version > BACKUP_FORMAT_VERSION) {
    throw new BackupError(`the backup was written by a newer Ferry (${header.ferry_version}): upgrade first`);
  }
  return header;
}

function parsed<Line>(schema: { safeParse(value: unknown): { data?: Line | undefined } }, line: string): Line {
  const value = schema.safeParse(parseJson(line)).data;
  if (value === undefined) throw new BackupError('the file is damaged: it has a line of no known kind');
  return value;
}

async function* linesOf(source: AsyncIterable<Buffer | string>): AsyncGenerator<string> {
  let parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of source) {
    const chunk = typeof part === 'string' ? Buffer.from(part) : part;
    let start = 0;
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, start)) {
      const last = chunk.subarray(start, end);
      yield (parts.length === 0 ? last : Buffer.concat([...parts, last])).toString('utf8');
      parts = [];
      bytes = 0;
      start = end + 1;
    }
    bytes += chunk.length - start;
    if (bytes > LINE_LIMIT_BYTES) throw new BackupError('the file is damaged: a line is too long');
    if (start < chunk.length) parts.push(chunk.subarray(start));
  }
  if (bytes > 0) throw new BackupError('the file is not complete');
}
