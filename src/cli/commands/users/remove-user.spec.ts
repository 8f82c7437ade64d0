import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CommandLine } from '../../../../test/support/cli/command-line.js';

const ann = { object: 'user', user_id: 'usr_ann', email: 'ann@example.com', name: 'Ann', role: 'member' };
const keyOf = (id: string, by: string | null): object => ({
  object: 'api_key',
  key_id: `key_${id}`,
  name: id,
  last4: 'abcd',
  scopes: ['inference'],
  cluster_ids: null,
  limits: { requests_per_minute: null, tokens_per_minute: null, concurrency: null },
  created_by: by,
  created: 0,
  expires: null,
  last_used: null,
});

let line: CommandLine;
beforeEach(async () => {
  line = await CommandLine.start();
  line.list('GET /api/users', ann);
  line.list('GET /api/keys', keyOf('laptop', 'usr_ann'), keyOf('shared', null), keyOf('phone', 'usr_ann'));
  line.respond('DELETE /api/users/usr_ann', ann);
  for (const id of ['laptop', 'phone']) line.respond(`DELETE /api/keys/key_${id}`, keyOf(id, 'usr_ann'));
});
afterEach(() => line.stop());

const changes = (): string[] => line.received.map(({ route }) => route).filter((route) => !route.startsWith('GET'));

describe('ferry users remove', () => {
  it('names the keys of the person, which stay', async () => {
    const { code, stderr } = await line.ferry('users remove ann@example.com --yes');
    expect([code, changes()]).toEqual([0, ['DELETE /api/users/usr_ann']]);
    expect(stderr).toContain('Their API keys stay valid: laptop, phone.');
  });

  it('revokes them, and only them, where that is asked for', async () => {
    const { code, stderr } = await line.ferry('users remove ann@example.com --revoke-keys --yes');
    expect(code).toBe(0);
    expect(changes()).toEqual([
      'DELETE /api/keys/key_laptop',
      'DELETE /api/keys/key_phone',
      'DELETE /api/users/usr_ann',
    ]);
    expect(stderr).toContain('Their API keys are revoked: laptop, phone.');
  });
});

it('suggests the address that was meant, and removes nobody', async () => {
  expect(await line.ferry('users remove ann@exmaple.com --yes')).toMatchObject({
    code: 5,
    stderr: 'error: there is nobody called "ann@exmaple.com"\n  Did you mean ann@example.com?\n',
  });
  expect(changes()).toEqual([]);
});

describe('erasing a removed person', () => {
  const erased = { object: 'erased_user', user_id: 'usr_ann', pseudonym: 'removed-ann', audit_events: 3 };
  beforeEach(() => {
    line.respond('POST /api/users/usr_ann/erase', erased);
  });

  it('comes after the removal, where that is asked for', async () => {
    const { code, stderr } = await line.ferry('users remove ann@example.com --erase --yes');
    expect([code, changes()]).toEqual([0, ['DELETE /api/users/usr_ann', 'POST /api/users/usr_ann/erase']]);
    expect(stderr).toContain('They are called removed-ann in the audit trail and in usage now.');
  });

  it('erasing a removed person is possible later, by id', async () => {
    const { stderr } = await line.ferry('users remove ann@example.com --yes');
    expect(stderr).toContain('ferry users erase usr_ann');
    const { code, stdout } = await line.ferry('users erase usr_ann --yes --json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(erased);
  });
});

describe('ferry keys', () => {
  it('says who made a key', async () => {
    const { stdout } = await line.ferry('keys');
    expect(stdout).toMatch(/laptop.*ann@example\.com/);
    expect(stdout).toMatch(/^.*shared(?!.*@).*$/m);
  });
});
