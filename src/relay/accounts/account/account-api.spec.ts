import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PeopleHarness } from '../../../../test/support/relay/people.harness.js';

let people: PeopleHarness;

beforeAll(async () => {
  people = await PeopleHarness.start({ FERRY_NODES_PER_ACCOUNT: '7' });
}, 120_000);

afterAll(async () => {
  await people.close();
});

describe('the account', () => {
  it('the account is shown to every member, with its limits and retention periods', async () => {
    const ann = await people.invited('member', 'ann@example.com');
    await people.root.call('POST', 'invites', { role: 'member' });
    expect(await ann.call('GET', 'account')).toMatchObject({
      status: 200,
      body: {
        object: 'account',
        account_id: people.accountId,
        name: 'people',
        users: { count: 1, limit: 1_000 },
        nodes: { count: 0, limit: 7 },
        clusters: { limit: 50 },
        keys: { count: 0, limit: 100 },
        open_invites: 1,
        retention: { request_log_days: 30, usage_days: 400, audit_days: 365 },
      },
    });
  });

  it('the account can be renamed by an owner only', async () => {
    const admin = await people.invited('admin', 'admin@example.com');
    expect((await admin.call('PATCH', 'account', { name: 'Workshop' })).status).toBe(403);
    expect(await people.root.call('PATCH', 'account', { name: 'Workshop' })).toMatchObject({
      status: 200,
      body: { name: 'Workshop' },
    });
    expect((await people.root.call('PATCH', 'account', { name: ' x' })).status).toBe(400);
    expect(await people.actions()).toContain('account.rename');
  });
});
