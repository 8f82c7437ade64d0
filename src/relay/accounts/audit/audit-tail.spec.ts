import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openStoreDatabase, type StoreDatabase } from '../../../../test/support/db/store-database.js';
import { createAccountId, type AccountId } from '../../../kernel/ids.js';
import { AccountChanges } from '../../platform/api/account-changes.js';
import { ChangeNotices } from '../../platform/changes/change-notices.js';
import type { RelayConfig } from '../../platform/config/relay-config.js';
import { AuditEventEntity } from './audit-event.entity.js';
import { AuditEventsStore } from './audit-events.store.js';
import { AuditTail, type RemoteChange } from './audit-tail.js';
import { AuditTrail } from './audit-trail.store.js';
import { AuditedChanges } from './audited-changes.store.js';

const trail = new AuditTrail();
const changes = new AccountChanges();
const notices = new ChangeNotices();

let database: StoreDatabase;
let audited: AuditedChanges;
let accountId: AccountId;
let tail: AuditTail;
let received: RemoteChange[];

const eventOf = (id: string) => ({
  accountId,
  actor: 'system' as const,
  action: 'key.revoke',
  object: { kind: 'key', id },
});
/** Outside of the transactions that this relay watches. */
const recordElsewhere = (id: string): Promise<void> => trail.record(database.dataSource.manager, eventOf(id));
const recordHere = (id: string): Promise<void> =>
  database.dataSource.transaction((manager) => trail.record(manager, eventOf(id)));
const receivedIds = (): string[] => received.map(({ objectId }) => objectId);

beforeAll(async () => {
  database = await openStoreDatabase([AuditEventEntity]);
  audited = new AuditedChanges(database.dataSource, changes, notices);
}, 120_000);

afterAll(async () => {
  await database.close();
});

beforeEach(async () => {
  accountId = createAccountId();
  received = [];
  const config = { settings: { changesPollMs: 5_000 } } as RelayConfig;
  tail = new AuditTail(new AuditEventsStore(database.repository(AuditEventEntity)), audited, notices, config);
  await tail.read();
  tail.listen('key', (change) => void received.push(change));
});

describe('the tail of the audit trail', () => {
  it('reports a change of another relay once', async () => {
    await recordElsewhere('key_1');
    for (let polls = 0; polls < 3; polls += 1) await tail.read();
    expect(received).toEqual([{ accountId, action: 'key.revoke', objectId: 'key_1' }]);
  });

  it('publishes its topics to the feeds of the account', async () => {
    const topics: string[] = [];
    const stop = changes.listen(accountId, (topic) => topics.push(topic));
    await recordElsewhere('key_1');
    await tail.read();
    stop();
    expect(topics).toEqual(['audit', 'keys']);
  });

  it('the tail of the audit trail does not report changes of this relay, and notifies the other relays of them', async () => {
    const sent: string[] = [];
    notices.connect((notice) => sent.push(notice));
    await recordHere('key_own');
    await tail.read();
    expect([received, sent]).toEqual([[], ['audit']]);
  });

  it('finds a change that was committed late', async () => {
    await recordElsewhere('key_1');
    await tail.read();
    await database.dataSource.query(
      `INSERT INTO audit_event (account_id, id, created_at, actor_kind, action, object_kind, object_id, detail)
       VALUES ($1, 'aud_late', now() - interval '40 seconds', 'system', 'key.revoke', 'key', 'key_late', '{}')`,
      [accountId],
    );
    await tail.read();
    expect(receivedIds()).toEqual(['key_1', 'key_late']);
  });

  it('repeats a change that could not be applied, without holding up the others', async () => {
    let broken = true;
    tail.listen('key', ({ objectId }) => {
      if (broken && objectId === 'key_1') throw new Error('no database');
    });
    await recordElsewhere('key_1');
    await recordElsewhere('key_2');
    await expect(tail.read()).rejects.toThrow('no database');
    expect(receivedIds()).toEqual(['key_1', 'key_2']);
    broken = false;
    await tail.read();
    await tail.read();
    expect(receivedIds()).toEqual(['key_1', 'key_2', 'key_1']);
  });

  it('reads more than a page, each event once', async () => {
    await database.dataSource.query(
      `INSERT INTO audit_event (account_id, id, actor_kind, action, object_kind, object_id, detail)
       SELECT $1, 'aud_' || n, 'system', 'key.revoke', 'key', 'key_' || n, '{}' FROM generate_series(1, 2500) AS n`,
      [accountId],
    );
    await tail.read();
    await tail.read();
    expect(receivedIds()).toHaveLength(2_500);
    expect(new Set(receivedIds()).size).toBe(2_500);
  });
});
