import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readCredentials, writeCredentials, type Credentials } from '../../core/api/credentials-file.js';
import { signIn } from './sign-in.js';

const credentials: Credentials = {
  version: 1,
  base_url: 'http://127.0.0.1:8787',
  account_id: 'acc_1',
  cluster_id: 'cl_12345678',
  cli_token: 'ferry-cli-new',
  api_key: 'sk-ferry-new',
};

let directory: string;
let file: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'ferry-sign-in-'));
  file = path.join(directory, 'config', 'credentials.json');
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const run = (): Promise<string | undefined> => signIn({ FERRY_CONFIG_DIR: path.dirname(file) }, credentials);

describe('sign-in of ferry up', () => {
  it('stores the sign-in with mode 0600', async () => {
    expect(await run()).toBeUndefined();
    expect(await readCredentials(file)).toMatchObject({ cli_token: 'ferry-cli-new', written_by: 'up' });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('replaces what an earlier ferry up wrote, also for another address', async () => {
    await writeCredentials(file, {
      ...credentials,
      base_url: 'http://127.0.0.1:1',
      cli_token: 'old',
      written_by: 'up',
    });
    expect(await run()).toBeUndefined();
    expect((await readCredentials(file))?.cli_token).toBe('ferry-cli-new');
  });

  it('keeps a sign-in to another relay, and prints how to reach this one', async () => {
    await writeCredentials(file, { ...credentials, base_url: 'https://relay.example', cli_token: 'mine' });
    expect(await run()).toContain('stays signed in to https://relay.example');
    expect((await readCredentials(file))?.cli_token).toBe('mine');
  });

  it('keeps that of another ferry up with an explicit data directory', async () => {
    await writeCredentials(file, { ...credentials, account_id: 'acc_2', cli_token: 'default', written_by: 'up' });
    const env = { FERRY_CONFIG_DIR: path.dirname(file), FERRY_DATA_DIR: '/data' };
    expect(await signIn(env, credentials)).toContain('stays signed in');
    expect((await readCredentials(file))?.cli_token).toBe('default');
  });

  it('tolerates an unwritable directory', async () => {
    await mkdir(path.join(directory, 'file'));
    await writeFile(path.join(directory, 'file', 'config'), '');
    const reported = await signIn({ FERRY_CONFIG_DIR: path.join(directory, 'file', 'config', 'ferry') }, credentials);
    expect(reported).toContain('--data-dir');
    expect(reported).not.toContain('ferry-cli-new');
  });
});
