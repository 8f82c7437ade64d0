import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openStoreDatabase, type StoreDatabase } from '../../../../test/support/db/store-database.js';
import type { AccountId } from '../../../kernel/ids.js';
import type { RelayConfig } from '../../platform/config/relay-config.js';
import { AuditEventEntity } from './audit-event.entity.js';
import { AuditEventsStore } from './audit-events.store.js';
import { AuditRetention } from './audit-retention.js';

const accounts = ['acc_a', 'acc_b'] as AccountId[];

let database: StoreDatabase;

beforeAll(async () => {
  database = await openStoreDatabase([AuditEventEntity]);
}, 120_000);

afterAll(async () => {
  await database.close();
});

/** One event of this age for each account. */
async function record(days: number): Promise<void> {
  for (const accountId of accounts) {
    await database.dataSource.query(
      `INSERT INTO audit_event (account_id, id, created_at, actor_kind, action, object_kind, object_id, detail)
       VALUES ($1, $2, now() - $3 * interval '1 day', 'system', 'key.create', 'key', 'k', '{}')`,
      [accountId, `evt_${days}`, days],
    );
  }
}

const left = async (accountId: AccountId): Promise<string[]> => {
  const events = await database.repository(AuditEventEntity).find({ where: { accountId }, order: { position: 'ASC' } });
  return events.map(({ id }) => id);
};

describe('retention of the audit trail', () => {
  it('removes of every account what is older than its setting, and keeps what is newer', async () => {
    for (const days of [400, 365.1, 364.9, 10, 0]) await record(days);
    const settings = { auditRetentionDays: 365 };
    const store = new AuditEventsStore(database.repository(AuditEventEntity));
    const retention = new AuditRetention(store, { settings } as unknown as RelayConfig);
    await retention.prune();
    for (const account of accounts) expect(await left(account)).toEqual(['evt_364.9', 'evt_10', 'evt_0']);
    settings.auditRetentionDays = 5;
    await retention.prune();
    for (const account of accounts) expect(await left(account)).toEqual(['evt_0']);
  });
});
