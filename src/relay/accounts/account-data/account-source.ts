import { quoted, type DatabaseSnapshot } from '../../backup/snapshot.store.js';
import type { BackupTable } from '../../backup/backup-format.js';
import type { TableSource } from '../../backup/write-backup.js';
import { accountTables } from './account-tables.js';

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
