import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { GlobalOptions } from '../../invocation.js';
import { writeCredentials } from './credentials-file.js';
import { chooseProfile, profilePath } from './profiles.js';
import { findConnection, findRelayAddress, type Connection } from './find-connection.js';

let directory: string;
let dataDir: string;
let configDir: string;

beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'ferry-connection-'));
  dataDir = path.join(directory, 'data');
  configDir = path.join(directory, 'config');
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const signIn = (where: string, baseUrl: string, token: string): Promise<void> =>
  writeCredentials(path.join(where, 'credentials.json'), {
    version: 1,
    base_url: baseUrl,
    account_id: 'acc_1',
    cluster_id: 'cl_12345678',
    cli_token: token,
    api_key: 'sk-ferry-x',
  });

const noFlags: GlobalOptions = {
  baseUrl: undefined,
  token: undefined,
  profile: undefined,
  dataDir: undefined,
  output: 'table',
  wide: false,
};

const find = (env: Record<string, string> = {}, global: Partial<GlobalOptions> = {}): Promise<Connection> =>
  findConnection({
    env: { FERRY_CONFIG_DIR: configDir, ...env },
    global: { ...noFlags, ...global },
  });

describe('the relay and credential of a command', () => {
  it('the relay and credential of a command need no file with both flags, which override the environment', async () => {
    const env = { FERRY_BASE_URL: 'https://env.example', FERRY_TOKEN: 'env-token' };
    expect(await find(env)).toEqual({ baseUrl: 'https://env.example', token: 'env-token' });
    expect(await find(env, { baseUrl: 'https://flag.example/v1/', token: 'flag-token' })).toEqual({
      baseUrl: 'https://flag.example',
      token: 'flag-token',
    });
  });

  it('default to the sign-in in the configuration directory', async () => {
    await signIn(configDir, 'http://127.0.0.1:8787', 'config-token');
    expect(await find()).toEqual({ baseUrl: 'http://127.0.0.1:8787', token: 'config-token' });
  });

  it('the relay and credential of a command come from an explicit data directory, or else from the configuration', async () => {
    await signIn(configDir, 'http://127.0.0.1:8787', 'config-token');
    expect((await find({ FERRY_DATA_DIR: dataDir })).token).toBe('config-token');
    await signIn(dataDir, 'http://127.0.0.1:9999', 'data-token');
    expect(await find({ FERRY_DATA_DIR: dataDir })).toEqual({ baseUrl: 'http://127.0.0.1:9999', token: 'data-token' });
    expect((await find()).token).toBe('config-token');
  });

  it('never use a stored token for another relay', async () => {
    await signIn(configDir, 'https://relay.example', 'config-token');
    await expect(find({}, { baseUrl: 'https://relay.exarnple' })).rejects.toMatchObject({ exitCode: 4 });
    await expect(find({}, { baseUrl: 'http://relay.example' })).rejects.toMatchObject({ exitCode: 4 });
    await expect(find({ FERRY_BASE_URL: 'https://relay.example:8443' })).rejects.toMatchObject({ exitCode: 4 });
    expect((await find({}, { baseUrl: 'https://relay.example/' })).token).toBe('config-token');
  });

  it('treat localhost and 127.0.0.1 as one host', async () => {
    await signIn(configDir, 'http://127.0.0.1:8787', 'config-token');
    expect(await find({ FERRY_BASE_URL: 'http://localhost:8787' })).toEqual({
      baseUrl: 'http://localhost:8787',
      token: 'config-token',
    });
  });

  it('the relay and credential of a command combine a given token with the stored address', async () => {
    await signIn(configDir, 'https://relay.example', 'config-token');
    expect(await find({ FERRY_TOKEN: 'mine' })).toEqual({ baseUrl: 'https://relay.example', token: 'mine' });
  });

  it('treat empty variables as unset', async () => {
    await signIn(configDir, 'https://relay.example', 'config-token');
    expect((await find({ FERRY_TOKEN: '', FERRY_BASE_URL: '', FERRY_DATA_DIR: '' })).token).toBe('config-token');
  });

  it('exit 4 with advice when nothing is stored', async () => {
    const error = await find().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ exitCode: 4, code: 'not_signed_in' });
    expect((error as { hint: string }).hint).toContain('ferry up');
  });

  it('use the profile from flag, environment or selection, in this order, before the data directory', async () => {
    await signIn(configDir, 'https://one.example', 'default-token');
    await signIn(dataDir, 'http://127.0.0.1:9999', 'data-token');
    for (const name of ['work', 'home']) {
      const file = profilePath({ FERRY_CONFIG_DIR: configDir }, name);
      await writeCredentials(file, {
        version: 1,
        base_url: `https://${name}.example`,
        account_id: 'acc_1',
        cli_token: `${name}-token`,
      });
    }
    expect((await find({}, { profile: 'work' })).token).toBe('work-token');
    expect((await find({ FERRY_PROFILE: 'home' }, { profile: 'work' })).token).toBe('work-token');
    expect((await find({ FERRY_PROFILE: 'home', FERRY_DATA_DIR: dataDir })).token).toBe('home-token');
    await chooseProfile({ FERRY_CONFIG_DIR: configDir }, 'home');
    expect((await find()).baseUrl).toBe('https://home.example');
    expect((await find({ FERRY_DATA_DIR: dataDir })).token).toBe('data-token');
    await expect(find({}, { profile: '../x' })).rejects.toMatchObject({ exitCode: 2 });
    await expect(find({}, { profile: 'nobody' })).rejects.toMatchObject({ exitCode: 4 });
  });

  it('reject an invalid address as a usage error', async () => {
    await expect(find({}, { baseUrl: 'relay.example' })).rejects.toMatchObject({ exitCode: 2 });
    await expect(find({ FERRY_BASE_URL: 'ftp://relay.example' })).rejects.toMatchObject({ exitCode: 2 });
  });
});

describe('the address for a command that needs no sign-in', () => {
  it('the address for a command that needs no sign-in is the given one, else the stored one, else none', async () => {
    const global = noFlags;
    const env = { FERRY_CONFIG_DIR: configDir };
    expect(await findRelayAddress({ env, global })).toBeUndefined();
    await signIn(configDir, 'https://relay.example', 'x');
    expect(await findRelayAddress({ env, global })).toBe('https://relay.example');
    expect(await findRelayAddress({ env, global: { ...global, baseUrl: 'https://other.example' } })).toBe(
      'https://other.example',
    );
  });
});
