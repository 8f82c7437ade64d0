import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { PeopleHarness } from '../../../../test/support/relay/people.harness.js';
import { UsersStore } from './users.store.js';

let people: PeopleHarness;

beforeAll(async () => {
  people = await PeopleHarness.start();
}, 120_000);

afterAll(async () => {
  await people.close();
});

beforeEach(async () => {
  await people.database.query('DELETE FROM "user"');
});

describe('a change of a user by somebody who loses the right to it meanwhile', () => {
  /** Happens once the next request was admitted, and before it changes something. */
  const meanwhile = (query: string, id: string): void => {
    const store = people.management.app.get(UsersStore);
    const begin = store.transaction.bind(store);
    const during = jest.spyOn(store, 'transaction');
    during.mockImplementationOnce(async (work) => {
      during.mockRestore();
      await people.database.query(query, [id]);
      return begin(work);
    });
  };

  const changes: readonly (readonly [method: string, path: string, body: object])[] = [
    ['PATCH', '', { role: 'owner' }],
    ['PATCH', '', { disabled: true }],
    ['DELETE', '', {}],
    ['POST', '/reset-password', {}],
  ];

  it.each(changes)('is refused when the session of its sender has ended: %s %s %j', async (method, path, body) => {
    await people.invited('owner', 'owner@example.com');
    const ann = await people.invited('owner', 'ann@example.com');
    const bob = await people.invited('member', 'bob@example.com');
    const bobId = await people.idOf(bob);
    meanwhile('DELETE FROM session WHERE user_id = $1', await people.idOf(ann));
    expect(await ann.call(method, `users/${bobId}${path}`, body)).toMatchObject({
      status: 401,
      body: { code: 'invalid_credential' },
    });
    expect(await bob.call('GET', 'whoami')).toMatchObject({ status: 200, body: { role: 'member' } });
  });

  it.each(changes)('is refused when its sender has become an admin: %s %s %j', async (method, path, body) => {
    const boss = await people.invited('owner', 'boss@example.com');
    const ann = await people.invited('owner', 'ann@example.com');
    const bossId = await people.idOf(boss);
    meanwhile(`UPDATE "user" SET role = 'admin' WHERE id = $1`, await people.idOf(ann));
    expect(await ann.call(method, `users/${bossId}${path}`, body)).toMatchObject({
      status: 403,
      body: { code: 'insufficient_role' },
    });
    expect(await boss.call('GET', 'whoami')).toMatchObject({ status: 200, body: { role: 'owner' } });
  });

  it('gives no role that its sender has not any more', async () => {
    await people.invited('owner', 'owner@example.com');
    const ann = await people.invited('owner', 'ann@example.com');
    const bob = await people.invited('member', 'bob@example.com');
    const bobId = await people.idOf(bob);
    meanwhile(`UPDATE "user" SET role = 'admin' WHERE id = $1`, await people.idOf(ann));
    expect(await ann.call('PATCH', `users/${bobId}`, { role: 'owner' })).toMatchObject({ status: 403 });
    expect(await bob.call('GET', 'whoami')).toMatchObject({ status: 200, body: { role: 'member' } });
  });
});
