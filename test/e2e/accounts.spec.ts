// Own relay: it is stopped while accounts are deleted.
/** `ferry accounts` on a relay with three accounts: its first one, and those of two people who signed up. */
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import {
  accountExportShape,
  deletedAccountShape,
  storedAccountShape,
} from '../../src/cli/commands/accounts/accounts.shape.js';
import { eventually } from '../support/clock/eventually.js';
import { atTerminal } from '../support/process/at-terminal.js';
import { ferry, type CommandResult } from '../support/process/ferry-process.js';
import { TestRelay } from '../support/process/test-relay.js';
import { PASSWORD, Person } from '../support/relay/people.harness.js';

interface Tenant {
  readonly person: Person;
  readonly email: string;
  readonly key: string;
  readonly accountId: string;
}

let relay: TestRelay;
let ann: Tenant;
let ben: Tenant;

async function signUp(name: string): Promise<Tenant> {
  const person = new Person(relay.baseUrl);
  const email = `${name}@example.com`;
  await person.call('POST', 'sign-up', { email, password: PASSWORD, name });
  const { body: key } = await person.call('POST', 'keys', { name: `key of ${name}` });
  const { body: account } = await person.call('GET', 'account');
  return { person, email, key: String(key['key']), accountId: String(account['account_id']) };
}

/** The embedded database belongs to one process. */
const isShared = process.env['DATABASE_URL'] !== undefined;

const run = (...args: string[]): Promise<CommandResult> => ferry(['accounts', ...args], relay.serveEnv);

async function deleteAtTerminal({ accountId }: Tenant, typed: string) {
  const terminal = atTerminal(['accounts', 'delete', accountId], relay.serveEnv);
  await eventually('it asks for the name', () => terminal.stdout.includes('Type the name'), 20_000);
  terminal.type(`${typed}\r`);
  return { code: await terminal.exited, output: terminal.stdout };
}

const modelsStatus = async (key: string): Promise<number> =>
  (await relay.fetch('/v1/models', { headers: { authorization: `Bearer ${key}` } })).status;

const sessionStatus = async ({ person }: Tenant): Promise<number> => (await person.call('GET', 'whoami')).status;

const signInStatus = async ({ email }: Tenant): Promise<number> =>
  (await new Person(relay.baseUrl).call('POST', 'sign-in', { email, password: PASSWORD })).status;

/** Times are ISO 8601 in JSON. */
const listedAccount = storedAccountShape
  .omit({ created: true, last_request: true })
  .extend({ created_at: z.iso.datetime(), last_request_at: z.iso.datetime().nullable() });

async function listed(): Promise<readonly z.infer<typeof listedAccount>[]> {
  const { stdout } = await run('--json');
  return z.object({ object: z.literal('list'), data: z.array(listedAccount) }).parse(JSON.parse(stdout)).data;
}

beforeAll(async () => {
  relay = await TestRelay.start({ env: { FERRY_SIGN_UP: 'open' } });
  ann = await signUp('ann');
  ben = await signUp('ben');
}, 60_000);

afterAll(() => relay.stop(), 30_000);

describe('ferry accounts', () => {
  it('deletes nothing while the relay runs, and says to stop it first', async () => {
    const refused = isShared
      ? /a relay uses the database of DATABASE_URL\n {2}try: stop every relay/
      : /in use by another process .*\n {2}try: stop the relay first/;
    expect(await run('delete', ann.accountId, '--yes')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(refused),
    });
    expect(await modelsStatus(ann.key)).toBe(200);
  }, 60_000);

  it('lists and exports while the relay runs', async () => {
    expect((await listed()).map(({ name }) => name)).toEqual(['default', 'ann', 'ben']);
    const made = await run('export', 'ann', path.join(relay.dataDirectory, 'running.gz'), '--json');
    expect([made.code, made.stderr]).toEqual([0, '']);
    const heldUpMs: unknown = isShared ? null : expect.any(Number);
    const { rows } = accountExportShape.parse(JSON.parse(made.stdout));
    expect(JSON.parse(made.stdout)).toMatchObject({ account_id: ann.accountId, held_up_ms: heldUpMs });
    expect(rows).toMatchObject({ account: 1, user: 1, api_key: 1, session: 1, cluster: 1 });
    expect(await modelsStatus(ann.key)).toBe(200);
    if (!isShared) expect(await readdir(path.join(relay.dataDirectory, 'relay'))).not.toContain('pgdata.copy');
    await relay.process.stop();
  }, 60_000);

  it('lists every account with its owner', async () => {
    const [first, ...others] = await listed();
    expect(first).toMatchObject({ account_id: relay.credentials.account_id, name: 'default', owners: [] });
    expect(others).toMatchObject([
      { account_id: ann.accountId, name: 'ann', owners: [ann.email], users: 1, keys: 1, last_request_at: null },
      { account_id: ben.accountId, name: 'ben', owners: [ben.email] },
    ]);
    const { stdout } = await run('list');
    expect(stdout.split('\n').slice(0, 3)).toEqual([
      expect.stringMatching(/^NAME +ID +OWNER/),
      expect.stringMatching(`^default +${relay.credentials.account_id} +-`),
      expect.stringMatching(`^ann +${ann.accountId} +ann@example.com`),
    ]);
  }, 60_000);

  it('exits 5 for an account that does not exist', async () => {
    expect(await run('export', 'nobody', 'x.gz')).toEqual({
      code: 5,
      stdout: '',
      stderr: 'error: no account has the id or name nobody\n  try: ferry accounts\n',
    });
  }, 60_000);
});

describe('ferry accounts export', () => {
  it('writes all of one account into a private file, and nothing of another one', async () => {
    const file = path.join(relay.dataDirectory, 'ann.ndjson.gz');
    const made = await run('export', 'ann', file, '--json');
    expect([made.code, made.stderr]).toEqual([0, '']);
    expect(accountExportShape.parse(JSON.parse(made.stdout))).toMatchObject({
      account_id: ann.accountId,
      name: 'ann',
      rows: { account: 1, user: 1, api_key: 1, session: 1, cluster: 1 },
    });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const text = gunzipSync(await readFile(file)).toString();
    expect(text).toContain('"email":"ann@example.com"');
    expect(text).toContain('"name":"key of ann"');
    for (const foreign of [ben.accountId, 'ben', relay.credentials.account_id]) expect(text).not.toContain(foreign);
    expect(text).not.toMatch(/digest|password_hash|argon2/);
    expect(text).not.toContain(ann.key);
    expect((await run('export', 'ann', file)).stderr).toContain('exists already');
    const restored = await ferry(['restore', file, '--replace', '--yes'], relay.serveEnv);
    expect(restored).toMatchObject({ code: 1, stderr: expect.stringContaining('the export of an account') });
  }, 60_000);
});

describe('ferry accounts delete', () => {
  it('asks, and takes only the id without asking', async () => {
    expect(await run('delete', ann.accountId)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`try: ferry accounts delete ${ann.accountId} --yes`),
    });
    expect(await run('delete', 'ann', '--yes')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--yes takes the id of the account, not its name'),
    });
    expect(await listed()).toHaveLength(3);
  }, 60_000);

  it('changes nothing when another word than the name is typed', async () => {
    const { code, output } = await deleteAtTerminal(ben, 'be');
    expect(code).toBe(1);
    expect(output).toContain(`ben (${ben.accountId}): 1 account, 1 user, 1 API key`);
    expect(output).toContain('nothing was changed');
    expect(await listed()).toHaveLength(3);
  }, 60_000);

  it('ends everything of the account, and nothing of another one', async () => {
    const deleted = await run('delete', ann.accountId, '--yes', '--json');
    expect([deleted.code, deleted.stderr]).toEqual([0, '']);
    expect(deletedAccountShape.parse(JSON.parse(deleted.stdout))).toMatchObject({
      account_id: ann.accountId,
      first_account_id: relay.credentials.account_id,
      rows: { account: 1, user: 1, api_key: 1 },
    });
    await relay.restart();
    expect([await modelsStatus(ann.key), await sessionStatus(ann), await signInStatus(ann)]).toEqual([401, 401, 401]);
    expect([await modelsStatus(ben.key), await sessionStatus(ben), await signInStatus(ben)]).toEqual([200, 200, 200]);
    expect(await modelsStatus(relay.credentials.api_key)).toBe(200);
  }, 60_000);

  it('names the account that becomes the first one of the relay', async () => {
    const before = relay.credentials;
    await relay.process.stop();
    const first = await run('delete', before.account_id, '--yes');
    expect(first.stdout).toMatch(new RegExp(`^Deleted default \\(${before.account_id}\\): 1 account, 0 users, `));
    expect(first.stderr).toContain(`That is ben (${ben.accountId}) afterwards`);
    const last = await deleteAtTerminal(ben, 'ben');
    expect(last.code).toBe(0);
    expect(last.output).toContain('It is the last account');
    expect(last.output).toContain(`Deleted ben (${ben.accountId}): 1 account`);
    expect(await listed()).toEqual([]);
  }, 60_000);

  it('leaves a relay that starts with a new, empty account', async () => {
    const before = relay.credentials;
    await relay.restart();
    expect(relay.credentials.account_id).not.toBe(before.account_id);
    expect([await modelsStatus(before.api_key), await modelsStatus(relay.credentials.api_key)]).toEqual([401, 200]);
    expect([await modelsStatus(ben.key), await signInStatus(ben)]).toEqual([401, 401]);
  }, 60_000);
});
