import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { PeopleHarness } from '../../../test/support/relay/people.harness.js';
import { ApiKeysStore } from './api-keys.store.js';

let people: PeopleHarness;

beforeAll(async () => {
  people = await PeopleHarness.start();
}, 120_000);

afterAll(async () => {
  await people.close();
});

describe('a new API key', () => {
  // Both happen once the next request was admitted, and before its transaction begins.
  const beforeInsert = (happens: () => Promise<unknown>): void => {
    const store = people.management.app.get(ApiKeysStore);
    const insert = store.insert.bind(store);
    const during = jest.spyOn(store, 'insert');
    during.mockImplementationOnce(async (...parameters) => {
      during.mockRestore();
      await happens();
      return insert(...parameters);
    });
  };
  const beforeRoll = (happens: () => Promise<unknown>): void => {
    const store = people.management.app.get(ApiKeysStore);
    const roll = store.roll.bind(store);
    const during = jest.spyOn(store, 'roll');
    during.mockImplementationOnce(async (...parameters) => {
      during.mockRestore();
      await happens();
      return roll(...parameters);
    });
  };

  const allKeys = async (): Promise<unknown> => (await people.root.call('GET', 'keys')).body['data'];

  it('is not made with a session that ends meanwhile', async () => {
    const ann = await people.invited('member', 'ann@example.com');
    const before = await allKeys();
    beforeInsert(() => people.database.query('DELETE FROM session'));
    expect(await ann.call('POST', 'keys', { name: 'late' })).toMatchObject({
      status: 401,
      body: { code: 'invalid_credential' },
    });
    expect(await allKeys()).toEqual(before);
  });

  it('does not replace another one for somebody who is removed meanwhile', async () => {
    const bob = await people.invited('member', 'bob@example.com');
    const bobId = await people.idOf(bob);
    const made = await bob.call('POST', 'keys', { name: 'of bob' });
    const before = await allKeys();
    beforeRoll(() => people.root.call('DELETE', `users/${bobId}`));
    const path = `keys/${String(made.body['key_id'])}/roll`;
    expect(await bob.call('POST', path, { overlap: '0' })).toMatchObject({ status: 401 });
    expect(await allKeys()).toEqual(before);
  });

  it("does not replace another one's key for an admin who becomes a member meanwhile", async () => {
    const cem = await people.invited('admin', 'cem@example.com');
    const dan = await people.invited('member', 'dan@example.com');
    const cemId = await people.idOf(cem);
    const made = await dan.call('POST', 'keys', { name: 'of dan' });
    const before = await allKeys();
    // The session stays, unlike with a change over the API.
    beforeRoll(() => people.database.query(`UPDATE "user" SET role = 'member' WHERE id = $1`, [cemId]));
    const path = `keys/${String(made.body['key_id'])}/roll`;
    expect(await cem.call('POST', path, { overlap: '0' })).toMatchObject({
      status: 403,
      body: { code: 'insufficient_role' },
    });
    expect(await allKeys()).toEqual(before);
  });
});
