import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { isBootstrap, readCredentials, writeCredentials, type Credentials } from './credentials-file.js';

const credentials: Credentials = {
  version: 1,
  base_url: 'http://127.0.0.1:8787',
  account_id: 'acc_1',
  cluster_id: 'cl_12345678',
  cli_token: 'ferry-cli-secret',
  api_key: 'sk-ferry-secret',
};

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'ferry-credentials-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

describe('the credentials file', () => {
  it('round-trips', async () => {
    const file = path.join(directory, 'new', 'folder', 'credentials.json');
    await writeCredentials(file, { ...credentials, written_by: 'up' });
    expect(await readCredentials(file)).toEqual({ ...credentials, written_by: 'up' });
  });

  it('the credentials file has mode 0600, even when an older one had not, and leaves no temporary files', async () => {
    const file = path.join(directory, 'credentials.json');
    await writeFile(file, '{}', { mode: 0o644 });
    await chmod(file, 0o644);
    await writeCredentials(file, credentials);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(directory)).toEqual(['credentials.json']);
  });

  it('the credentials file is undefined when it does not exist', async () => {
    expect(await readCredentials(path.join(directory, 'credentials.json'))).toBeUndefined();
    expect(await readCredentials(path.join(directory, 'no', 'such', 'folder'))).toBeUndefined();
  });

  it('the credentials file is refused, without quoting its content, when it has another format', async () => {
    const file = path.join(directory, 'credentials.json');
    await writeFile(file, JSON.stringify({ ...credentials, version: 2 }));
    const error = await readCredentials(file).catch((thrown: unknown) => thrown as Error);
    expect(error).toMatchObject({ message: `${file} is not a credentials file of this version` });
    expect(error).not.toMatchObject({ message: expect.stringContaining('secret') });
  });

  it('the credentials file is that of the bootstrap only with both a cluster and a key', () => {
    const { cluster_id, api_key, ...signIn } = credentials;
    expect(isBootstrap(credentials)).toBe(true);
    expect(isBootstrap(signIn)).toBe(false);
    expect(isBootstrap({ ...signIn, cluster_id: cluster_id ?? '' })).toBe(false);
    expect(isBootstrap({ ...signIn, api_key: api_key ?? '' })).toBe(false);
  });
});
