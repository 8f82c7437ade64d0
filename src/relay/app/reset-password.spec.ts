import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { layEmbeddedDatabase } from '../../../test/support/db/embedded-database.js';
import { PASSWORD, Person } from '../../../test/support/relay/people.harness.js';
import { startRelay, type RunningRelay } from './main.js';
import { resetPassword } from './reset-password.js';

let directory: string;
let env: Record<string, string>;
let relay: RunningRelay | undefined;

const start = async (): Promise<RunningRelay> => (relay = await startRelay({ env }));

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'ferry-reset-'));
  const file = path.join(directory, 'credentials.json');
  env = {
    FERRY_DATA_DIR: directory,
    FERRY_PORT: '0',
    FERRY_LOG_LEVEL: 'silent',
    FERRY_BOOTSTRAP_CREDENTIALS_FILE: file,
  };
  await layEmbeddedDatabase(directory);
  const { baseUrl } = await start();
  const { cli_token } = JSON.parse(await readFile(file, 'utf8')) as { cli_token: string };
  const { body } = await new Person(baseUrl, cli_token).call('POST', 'invites', { role: 'owner' });
  const newcomer = { token: body['invite_token'], email: 'ann@example.com', password: PASSWORD };
  expect((await new Person(baseUrl).call('POST', 'invites/accept', newcomer)).status).toBe(201);
}, 120_000);

afterAll(async () => {
  await relay?.close(0);
  await rm(directory, { recursive: true, force: true });
}, 30_000);

const signIn = async (baseUrl: string, password: string): Promise<number> =>
  (await new Person(baseUrl).call('POST', 'sign-in', { email: 'ann@example.com', password })).status;

describe('resetPassword', () => {
  it('calls a running relay, authenticated by its secret', async () => {
    const { baseUrl } = relay ?? (await start());
    const made = await resetPassword({ env, email: 'Ann@example.com' });
    expect(made).toEqual({
      email: 'ann@example.com',
      temporaryPassword: expect.stringMatching(/^[a-z2-9]{4}(-[a-z2-9]{4}){3}$/),
      expiresAt: expect.any(Number),
    });
    expect(await signIn(baseUrl, PASSWORD)).toBe(401);
    expect(await signIn(baseUrl, made.temporaryPassword ?? '')).toBe(200);
    await expect(resetPassword({ env, email: 'nobody@example.com' })).rejects.toThrow(
      'There is no user with this e-mail address',
    );
  }, 60_000);

  it('opens the database itself when no relay runs', async () => {
    await relay?.close(0);
    const chosen = 'chosen by its owner';
    expect(await resetPassword({ env, email: 'ann@example.com', password: chosen })).toEqual({
      email: 'ann@example.com',
      temporaryPassword: undefined,
      expiresAt: null,
    });
    const { baseUrl } = await start();
    expect(await signIn(baseUrl, chosen)).toBe(200);
  }, 60_000);

  it('creates no database', async () => {
    const elsewhere = { ...env, FERRY_DATA_DIR: path.join(directory, 'nothing') };
    await expect(resetPassword({ env: elsewhere, email: 'ann@example.com' })).rejects.toThrow('there is no relay in');
    await expect(resetPassword({ env, email: 'ann@example.com', password: 'short' })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });
});
