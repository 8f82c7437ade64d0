import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openStoreDatabase, type StoreDatabase } from '../../../../test/support/db/store-database.js';
import { createAccountId, type AccountId, type UserId } from '../../../kernel/ids.js';
import { AuditEventEntity } from './audit-event.entity.js';
import type { ManagingActor, NewAuditEvent } from './audit-event.js';
import { AuditEventsStore, type AuditFilter } from './audit-events.store.js';
import { AuditTrail } from './audit-trail.store.js';
import { rememberOrigin } from './request-origin.js';

const trail = new AuditTrail();
const ANY: AuditFilter = { actor: null, action: null, object: null, since: null, until: null };
const owner: ManagingActor = {
  userId: 'usr_1' as UserId,
  credential: { kind: 'session', id: 'ses_1', name: 'laptop' },
};

let database: StoreDatabase;
let store: AuditEventsStore;

const record = (event: NewAuditEvent): Promise<void> => trail.record(database.dataSource.manager, event);
const recordAll = async (accountId: AccountId, actions: readonly string[]): Promise<void> => {
  for (const action of actions)
    await record({ accountId, actor: 'system', action, object: { kind: 'key', id: action } });
};
const actionsOf = async (accountId: AccountId, filter: Partial<AuditFilter> = {}): Promise<string[]> =>
  (await store.list(accountId, { ...ANY, ...filter }, 100, null)).map(({ action }) => action);

beforeAll(async () => {
  database = await openStoreDatabase([AuditEventEntity]);
  store = new AuditEventsStore(database.repository(AuditEventEntity));
}, 120_000);

afterAll(async () => {
  await database.close();
});

describe('the audit trail', () => {
  it('records actor, action, object and address', async () => {
    const accountId = createAccountId();
    const actor = { ...owner };
    rememberOrigin(actor, { ip: '192.0.2.7', userAgent: 'ferry/1' });
    await record({
      accountId,
      actor,
      action: 'key.create',
      object: { kind: 'key', id: 'key_1' },
      detail: { name: 'x'.repeat(500), limit: 3, expires: null },
    });
    const [event] = await store.list(accountId, ANY, 10, null);
    expect(event).toMatchObject({
      action: 'key.create',
      actor: { kind: 'session', userId: 'usr_1', credentialId: 'ses_1', name: 'laptop' },
      object: { kind: 'key', id: 'key_1' },
      detail: { name: 'x'.repeat(200), limit: 3, expires: null },
      ip: '192.0.2.7',
      userAgent: 'ferry/1',
    });
  });

  it('the audit trail has no entry for a change that was rolled back', async () => {
    const accountId = createAccountId();
    const undone = database.dataSource.transaction(async (manager) => {
      await trail.record(manager, { accountId, actor: owner, action: 'key.create', object: { kind: 'key', id: 'k' } });
      throw new Error('the change failed');
    });
    await expect(undone).rejects.toThrow('the change failed');
    expect(await actionsOf(accountId)).toEqual([]);
  });

  it.each([`UPDATE audit_event SET action = 'nothing.happened'`, 'DELETE FROM audit_event', 'TRUNCATE audit_event'])(
    'the audit trail is append-only: %s',
    async (statement) => {
      const accountId = createAccountId();
      await recordAll(accountId, ['key.create']);
      await expect(database.dataSource.query(statement)).rejects.toThrow('append-only');
      expect(await actionsOf(accountId)).toEqual(['key.create']);
    },
  );

  it('keeps the order of events, also within one transaction and one tick of the clock', async () => {
    const accountId = createAccountId();
    const actions = Array.from({ length: 20 }, (_, index) => `key.${String(index)}`);
    await database.dataSource.transaction(async (manager) => {
      for (const action of actions) {
        await trail.record(manager, { accountId, actor: owner, action, object: { kind: 'key', id: action } });
      }
    });
    expect(await actionsOf(accountId)).toEqual(actions.reverse());
  });

  it('filters by actor, action, object and time, and never shows another account', async () => {
    const accountId = createAccountId();
    await recordAll(createAccountId(), ['key.create']);
    await recordAll(accountId, ['key.create', 'key.revoke']);
    await record({ accountId, actor: owner, action: 'node.pause', object: { kind: 'node', id: 'nd_1' } });
    expect(await actionsOf(accountId, { actor: 'usr_1' })).toEqual(['node.pause']);
    expect(await actionsOf(accountId, { actor: 'ses_1' })).toEqual(['node.pause']);
    expect(await actionsOf(accountId, { action: 'key' })).toEqual(['key.revoke', 'key.create']);
    expect(await actionsOf(accountId, { action: 'key.create' })).toEqual(['key.create']);
    expect(await actionsOf(accountId, { object: 'nd_1' })).toEqual(['node.pause']);
    expect(await actionsOf(accountId, { object: 'node' })).toEqual(['node.pause']);
    expect(await actionsOf(accountId, { until: new Date(0) })).toEqual([]);
    expect(await actionsOf(accountId, { since: new Date(0) })).toHaveLength(3);
  });

  it('the audit trail is read in pages, and a cursor of another account yields nothing', async () => {
    const accountId = createAccountId();
    const strangerId = createAccountId();
    await recordAll(accountId, ['key.a', 'key.b', 'key.c']);
    await recordAll(strangerId, ['key.x']);
    const first = await store.list(accountId, ANY, 2, null);
    const second = await store.list(accountId, ANY, 2, first[1]!);
    expect([...first, ...second].map(({ action }) => action)).toEqual(['key.c', 'key.b', 'key.a']);
    const [foreign] = await store.list(strangerId, ANY, 1, null);
    expect(await store.list(accountId, ANY, 2, { id: foreign!.id, createdAt: new Date(0) })).toEqual([]);
  });

  it('continues after a deleted event', async () => {
    const accountId = createAccountId();
    await recordAll(accountId, ['key.a', 'key.b']);
    const later = { id: 'evt_forgotten', createdAt: new Date(Date.now() + 60_000) };
    expect((await store.list(accountId, ANY, 2, later)).map(({ action }) => action)).toEqual(['key.b', 'key.a']);
    expect(await store.list(accountId, ANY, 2, { ...later, createdAt: new Date(0) })).toEqual([]);
  });

  it('deletes only expired entries, in batches', async () => {
    const accountId = createAccountId();
    await recordAll(accountId, ['key.new']);
    for (const id of ['evt_old1', 'evt_old2', 'evt_old3']) {
      await database.dataSource.query(
        `INSERT INTO audit_event (account_id, id, created_at, actor_kind, action, object_kind, object_id, detail)
         VALUES ($1, $2, now() - interval '40 days', 'system', 'key.old', 'key', 'k', '{}')`,
        [accountId, id],
      );
    }
    expect(await store.prune(30, 2)).toBe(2);
    expect(await store.prune(30, 2)).toBe(1);
    expect(await actionsOf(accountId)).toEqual(['key.new']);
    await expect(database.dataSource.query('DELETE FROM audit_event')).rejects.toThrow('append-only');
  });
});
