import { expect, it, jest } from '@jest/globals';
import { openStoreDatabase } from '../../../test/support/db/store-database.js';
import { UsageAtRecovery } from './usage-at-recovery.store.js';

it('tells the recorder of every query that is answered, and of none that fails', async () => {
  const database = await openStoreDatabase([]);
  const databaseAnswers = jest.fn();
  new UsageAtRecovery(database.dataSource, { databaseAnswers } as never);
  await database.dataSource.query('SELECT 1');
  expect(databaseAnswers).toHaveBeenCalledTimes(1);
  await expect(database.dataSource.query('SELECT 1 / 0')).rejects.toThrow('division by zero');
  expect(databaseAnswers).toHaveBeenCalledTimes(1);
  await database.close();
}, 60_000);
