import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PeopleHarness } from '../../../test/support/relay/people.harness.js';
import { ExtensionState } from './extension-state.js';

let people: PeopleHarness;

beforeAll(async () => {
  people = await PeopleHarness.start({ FERRY_EXTENSIONS: 'json-errors' });
}, 120_000);

afterAll(async () => {
  await people.close();
});

const enabled = async (name: string): Promise<unknown> => {
  const { body } = await people.root.call('GET', 'extensions');
  return (body['data'] as { name: string; enabled: boolean }[]).find((one) => one.name === name)?.enabled;
};

describe('the extensions of an account', () => {
  it('the extensions are listed to every member, as the setting has them', async () => {
    const ann = await people.invited('member', 'ann@example.com');
    const { status, body } = await ann.call('GET', 'extensions');
    expect(status).toBe(200);
    expect(body['data']).toContainEqual({
      object: 'extension',
      name: 'json-errors',
      enabled: true,
      default_enabled: true,
      summary: expect.any(String),
      gains: expect.any(String),
    });
    expect(body['data']).toContainEqual(expect.objectContaining({ name: 'x-api-key', enabled: false }));
  });

  it('only an owner switches an extension', async () => {
    const admin = await people.invited('admin', 'admin@example.com');
    expect((await admin.call('PATCH', 'extensions/x-api-key', { enabled: true })).status).toBe(403);
    expect(await enabled('x-api-key')).toBe(false);
  });

  it('a switch is applied at once, audited, and can be taken back', async () => {
    const state = people.management.app.get(ExtensionState, { strict: false });
    const on = await people.root.call('PATCH', 'extensions/x-api-key', { enabled: true });
    expect(on).toMatchObject({ status: 200, body: { name: 'x-api-key', enabled: true, default_enabled: false } });
    expect(state.isOn('x-api-key', people.accountId)).toBe(true);
    await people.root.call('PATCH', 'extensions/json-errors', { enabled: false });
    expect(state.isOn('json-errors', people.accountId)).toBe(false);
    expect(state.isOn('json-errors', undefined)).toBe(false);
    await people.root.call('PATCH', 'extensions/x-api-key', { enabled: null });
    await people.root.call('PATCH', 'extensions/json-errors', { enabled: null });
    expect([await enabled('x-api-key'), await enabled('json-errors')]).toEqual([false, true]);
    const { body } = await people.root.call('GET', 'audit?action=account.extension');
    expect((body['data'] as { detail: object }[]).map(({ detail }) => detail)).toEqual([
      { extension: 'json-errors', from: 'off', to: 'default' },
      { extension: 'x-api-key', from: 'on', to: 'default' },
      { extension: 'json-errors', from: 'default', to: 'off' },
      { extension: 'x-api-key', from: 'default', to: 'on' },
    ]);
  });

  it('what is as wanted already is not audited again', async () => {
    const before = (await people.actions()).length;
    await people.root.call('PATCH', 'extensions/x-api-key', { enabled: null });
    expect(await people.actions()).toHaveLength(before);
  });

  it.each([
    ['an unknown name', 'extensions/telepathy', { enabled: true }, 404],
    ['no value', 'extensions/x-api-key', {}, 400],
    ['a value that is no switch', 'extensions/x-api-key', { enabled: 'yes' }, 400],
  ])('refuses %s', async (_name, path, body, status) => {
    expect((await people.root.call('PATCH', path, body)).status).toBe(status);
  });
});
