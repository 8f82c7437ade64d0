import type { QueryRunner } from 'typeorm';
import type { RowCounts } from '../../backup/backup-format.js';
import { columnsOf, quoted } from '../../backup/snapshot.store.js';
import { accountTables, type AccountTable } from '../../backup/tables.js';

/** The rows of one account, in all tables. */
export class AccountDeletionStore {
  constructor(private readonly runner: QueryRunner) {}

  async count(accountId: string): Promise<RowCounts> {
    return this.each(accountTables, async ({ name, owner }) => {
      const [row] = (await this.runner.query(
        `SELECT count(*)::int AS rows FROM ${quoted(name)} WHERE ${quoted(owner)} = $1`,
        [accountId],
      )) as { rows: number }[];
      return row?.rows ?? 0;
    });
  }

  /** In one transaction. Each table by itself, not by cascades, so that the result says what was deleted. @returns rows by table */
  async delete(accountId: string): Promise<RowCounts> {
    await this.runner.startTransaction();
    try {
      await this.runner.query('SELECT 1 FROM account WHERE id = $1 FOR UPDATE', [accountId]);
      // The trigger of the audit trail refuses DELETE without this setting.
      await this.runner.query(`SELECT set_config('ferry.audit_retention', 'on', true)`);
      const counts = await this.each(accountTables.toReversed(), async ({ name, owner }) => {
        const [, deleted] = (await this.runner.query(`DELETE FROM ${quoted(name)} WHERE ${quoted(owner)} = $1`, [
          accountId,
        ])) as [unknown[], number];
        return deleted;
      });
      await this.runner.commitTransaction();
      return counts;
    } catch (error) {
      await this.runner.rollbackTransaction();
      throw error;
    }
  }

  /** A database of an older schema does not have all tables. */
  private async each(
    tables: readonly AccountTable[],
    work: (table: AccountTable) => Promise<number>,
  ): Promise<RowCounts> {
    const counts = new Map<string, number>();
    for (const table of tables) {
      if ((await columnsOf(this.runner, table.name)).length > 0) counts.set(table.name, await work(table));
    }
    return Object.fromEntries(
      accountTables.flatMap(({ name }) => {
        const rows = counts.get(name);
        return rows === undefined ? [] : [[name, rows]];
      }),
    );
  }
}
