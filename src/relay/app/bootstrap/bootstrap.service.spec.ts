import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  PUBLIC_ADDRESS,
  startManagementHarness,
  type ManagementHarness,
} from '../../../../test/support/relay/management.harness.js';
import type { AccountId } from '../../../kernel/ids.js';
import { AccountsStore } from '../../accounts/accounts.store.js';
import { CliTokensService } from '../../accounts/cli-tokens.service.js';
import { KeyVerifier } from '../../keys/key-verifier.js';
import { KeysService } from '../../keys/keys.service.js';
import { ReadinessRegistry } from '../../platform/lifecycle/readiness-registry.js';
import { BootstrapService } from './bootstrap.service.js';
import type { LocalCredentials } from './credentials-file.js';

let directory: string;
let file: string;
let management: ManagementHarness;
let bootstrap: BootstrapService;
let ready: () => Promise<boolean>;
let readyBeforeFirstRun: boolean;

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'ferry-bootstrap-'));
  file = path.join(directory, 'config', 'credentials.json');
  management = await startManagementHarness({
    env: { FERRY_BOOTSTRAP_CREDENTIALS_FILE: file, FERRY_API_KEYS_PER_ACCOUNT: '3' },
    providers: [BootstrapService],
  });
  bootstrap = management.app.get(BootstrapService);
  const { checks } = management.app.get(ReadinessRegistry);
  ready = async () => (await checks.find(({ name }) => name === 'bootstrap')?.check())?.status === 'up';
  readyBeforeFirstRun = await ready();
}, 120_000);

afterAll(async () => {
  await management.close();
  await rm(directory, { recursive: true });
});

beforeEach(async () => {
  await bootstrap.run();
});

const credentials = async (): Promise<LocalCredentials> => JSON.parse(await readFile(file, 'utf8')) as LocalCredentials;

describe('BootstrapService', () => {
  it('keeps the relay not ready until it has run', async () => {
    expect(readyBeforeFirstRun).toBe(false);
    expect(await ready()).toBe(true);
  });

  it('creates one account, and a credentials file with mode 0600', async () => {
    const { api_key, cli_token, ...rest } = await credentials();
    const accountId = await management.app.get(AccountsStore).ensureFirst('another');
    expect(rest).toEqual({
      version: 1,
      base_url: PUBLIC_ADDRESS,
      account_id: accountId,
      cluster_id: expect.stringMatching(/^cl_[0-9a-f]{32}$/),
    });
    expect(await management.app.get(KeyVerifier).verify(api_key)).toMatchObject({ accountId, clusterIds: null });
    expect(await management.app.get(CliTokensService).verify(cli_token)).toMatchObject({ accountId });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('keeps valid credentials, and refreshes the address', async () => {
    const before = await credentials();
    await writeFile(file, JSON.stringify({ ...before, base_url: 'http://127.0.0.1:1' }));
    await bootstrap.run();
    expect(await credentials()).toEqual(before);
  });

  it('replaces a revoked key, and leaves the CLI token alone', async () => {
    const before = await credentials();
    await management.app.get(KeysService).revoke(before.account_id as never, 'quickstart', 'system');
    await bootstrap.run();
    const after = await credentials();
    expect(after).toEqual({ ...before, api_key: after.api_key });
    expect(after.api_key).not.toBe(before.api_key);
    await expect(management.app.get(KeyVerifier).verify(after.api_key)).resolves.toBeDefined();
  });

  it('replaces a revoked key in an account that has as many keys as it may have', async () => {
    const { account_id: accountId } = await credentials();
    const keys = management.app.get(KeysService);
    await keys.revoke(accountId as AccountId, 'quickstart', 'system');
    for (let number = 0; number < 3; number += 1) {
      const request = {
        name: `key ${String(number)}`,
        scopes: ['inference' as const],
        clusterIds: null,
        lifetimeMs: null,
      };
      await keys.create(accountId as AccountId, request, 'system');
    }
    await bootstrap.run();
    await expect(management.app.get(KeyVerifier).verify((await credentials()).api_key)).resolves.toBeDefined();
  });

  it.each(['', '{"version":1}', 'null'])(
    'replaces everything when the file holds %j, and revokes the lost credentials',
    async (content) => {
      const before = await credentials();
      await writeFile(file, content);
      await bootstrap.run();
      const after = await credentials();
      expect(after.account_id).toBe(before.account_id);
      expect(after.cluster_id).toBe(before.cluster_id);
      await expect(management.app.get(KeyVerifier).verify(before.api_key)).rejects.toMatchObject({ status: 401 });
      await expect(management.app.get(CliTokensService).verify(before.cli_token)).rejects.toMatchObject({
        status: 401,
      });
    },
  );

  it('replaces nothing when the database does not respond', async () => {
    const before = await credentials();
    const verify = jest.spyOn(management.app.get(CliTokensService), 'verify').mockRejectedValue(new Error('down'));
    await expect(bootstrap.run()).rejects.toThrow('down');
    verify.mockRestore();
    expect(await credentials()).toEqual(before);
  });
});
