/** `ferry accounts export`: on the computer of the relay, which may run. */
import { systemClock } from '../../../kernel/clock.js';
import { writeBackupFile } from '../../backup/backup-file.js';
import {
  ACCOUNT_EXPORT,
  type RowCounts,
  type BackupTable,
  BackupError,
  type TableRecord,
} from '../../backup/backup-format.js';
import { createDatabaseFile } from '../../backup/database-file.js';
import type { DatabaseSession } from '../../backup/database-session.store.js';
import { openRelayData } from '../../backup/relay-data.js';
import { checkRecords, readBackupFile, readTables } from '../../backup/read-backup.js';
import { DatabaseSnapshot, quoted } from '../../backup/snapshot.store.js';
import { writeTables, type TableSource } from '../../backup/write-backup.js';
import { packageVersion } from '../../platform/config/relay-config.js';
import type { Environment } from '../../platform/config/resolve-relay-config.js';
import { chooseAccount, type NamedAccount } from './account-choice.js';
import { accountTables } from '../../backup/tables.js';
import { z } from 'zod';
import { parseJson } from '../../../kernel/json-object.js';

export const ACCOUNT_EXPORT_VERSION = 1;

/** The export of an account is a file like a backup with another header. It cannot be restored: credentials are not in it. */
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

/** Reads one account for its export, as of the moment of the snapshot. */
export class AccountSource implements TableSource {
  constructor(
    private readonly snapshot: Pick<DatabaseSnapshot, 'columns' | 'select'>,
    private readonly accountId: string,
  ) {}

  /** Tables and columns that the database has, which may be of an older schema. */
  async tables(): Promise<readonly BackupTable[]> {
    const tables: BackupTable[] = [];
    for (const { name, exported } of accountTables) {
      const present = await this.snapshot.columns(name);
      if (present.length > 0) tables.push({ name, columns: exported.filter((column) => present.includes(column)) });
    }
    return tables;
  }

  rows({ name, columns }: BackupTable): AsyncIterable<readonly string[]> {
    const owner = accountTables.find((table) => table.name === name)?.owner ?? 'account_id';
    return this.snapshot.select(
      `SELECT ${columns.map(quoted).join(', ')} FROM ${quoted(name)} WHERE ${quoted(owner)} = $1`,
      [this.accountId],
    );
  }
}

export interface ExportAccountOptions {
  readonly env: Environment;
  /** Id or name. */
  readonly account: string;
  readonly file: string;
  /** Leaves nothing behind. */
  readonly signal?: AbortSignal | undefined;
}

export interface ExportAccountResult {
  readonly account: NamedAccount;
  readonly bytes: number;
  readonly createdAt: string;
  readonly counts: RowCounts;
  /** How long statements of a running relay have waited. undefined: none has. */
  readonly heldUpMs: number | undefined;
}

/**
 * @throws SettingsError · AccountChoiceError · InstanceLockedError · BackupError · Error with one line · the signal's reason, or an AbortError
 */
export async function exportAccount(options: ExportAccountOptions): Promise<ExportAccountResult> {
  const { env, file, signal } = options;
  const data = await openRelayData(env);
  const { checked, bytes, heldUpMs } = await createDatabaseFile(
    data,
    file,
    (session, unfinished) => writeSession(session, options, unfinished),
    (unfinished) => checkRecords(readExport(readBackupFile(unfinished, signal))),
    signal,
  );
  const { header, counts } = checked;
  return { account: header.account, bytes, createdAt: header.created_at, counts, heldUpMs };
}

async function writeSession(
  { runner }: DatabaseSession,
  { account: idOrName, signal }: ExportAccountOptions,
  file: string,
): Promise<void> {
  const snapshot = await DatabaseSnapshot.open(runner, signal);
  const account = await chooseAccount(runner, idOrName);
  const header: ExportHeader = {
    format: ACCOUNT_EXPORT,
    version: ACCOUNT_EXPORT_VERSION,
    ferry_version: packageVersion(),
    created_at: new Date(systemClock.wallMs()).toISOString(),
    account,
  };
  await writeBackupFile(file, writeTables(new AccountSource(snapshot, account.id), header), signal);
  await snapshot.close();
}
