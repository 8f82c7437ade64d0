// Own relays: one is backed up, another one is stopped and restored into.
/** Backup of a relay that is in use, and its restore into another one, with the command line as an operator runs it. */
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { backupShape, restoreShape } from '../../src/cli/commands/backup/backup.shape.js';
import { ferry, type CommandResult } from '../support/process/ferry-process.js';
import { TestRelay } from '../support/process/test-relay.js';

let relay: TestRelay;
let file: string;
let key: string;
let keys: number;

const run = (target: TestRelay, ...args: string[]): Promise<CommandResult> => ferry(args, target.serveEnv);

const keyNames = async (target: TestRelay): Promise<string[]> => {
  const { data } = await target.manage<{ data: { name: string }[] }>('GET', '/keys');
  return data.map(({ name }) => name);
};

beforeAll(async () => {
  relay = await TestRelay.start();
  file = path.join(relay.dataDirectory, 'ferry.backup');
}, 60_000);

afterAll(() => relay.stop(), 30_000);

describe('ferry backup', () => {
  it('takes all accounts of a running relay', async () => {
    ({ key } = await relay.manage<{ key: string }>('POST', '/keys', { name: 'before the backup' }));
    const made = await run(relay, 'backup', file, '--with-secret', '--json');
    expect(made.stderr).toBe('');
    const backup = backupShape.parse(JSON.parse(made.stdout));
    expect(backup).toMatchObject({ object: 'backup', file, with_secret: true, rows: { account: 1 } });
    // The key of the first start, and the one made above. An embedded database starts with those of the template.
    keys = backup.rows['api_key'] ?? 0;
    expect(keys).toBeGreaterThanOrEqual(2);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  }, 60_000);

  it('holds digests of keys and no key, and the secret only on demand', async () => {
    const without = path.join(relay.dataDirectory, 'without.backup');
    expect((await run(relay, 'backup', without)).code).toBe(0);
    const text = gunzipSync(await readFile(without)).toString();
    expect(text).not.toContain(relay.credentials.api_key);
    expect(text).not.toContain(relay.credentials.cli_token);
    expect(JSON.parse(text.split('\n')[0] ?? '') as object).not.toHaveProperty('secret');
    expect((await run(relay, 'backup', without)).stderr).toContain('exists already');
  }, 60_000);
});

describe('ferry restore', () => {
  it('refuses a relay that runs, and a damaged file', async () => {
    const running = await run(relay, 'restore', file, '--replace', '--yes');
    expect(running.code).toBe(1);
    expect(running.stderr).toMatch(/in use by another process|another relay uses the database/);
    const damaged = await run(relay, 'restore', path.join(relay.dataDirectory, 'credentials.json'));
    expect(damaged.stderr).toContain('damaged');
  }, 60_000);

  it('puts everything into another relay, whose own data it deletes only with --replace', async () => {
    const other = await TestRelay.start();
    try {
      await other.manage('POST', '/keys', { name: 'of the other relay' });
      await other.process.stop();
      const refused = await run(other, 'restore', file);
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('not empty') });
      const restored = await run(other, 'restore', file, '--replace', '--yes', '--json');
      expect(restoreShape.parse(JSON.parse(restored.stdout))).toMatchObject({
        object: 'restore',
        rows: { account: 1, api_key: keys },
      });
      await other.restart();
      expect(await keyNames(other)).toContain('before the backup');
      expect(await keyNames(other)).not.toContain('of the other relay');
      const models = await fetch(`${other.baseUrl}/v1/models`, {
        headers: { authorization: `Bearer ${key}` },
      });
      expect(models.status).toBe(200);
    } finally {
      await other.stop();
    }
  }, 90_000);

  it('reads a backup that was taken while the relay was stopped', async () => {
    const cold = path.join(relay.dataDirectory, 'cold.backup');
    await relay.process.stop();
    expect((await run(relay, 'backup', cold)).code).toBe(0);
    await relay.restart();
    await relay.manage('POST', '/keys', { name: 'after the backup' });
    await relay.process.stop();
    const restored = await run(relay, 'restore', cold, '--replace', '--yes');
    expect(restored.stdout).toMatch(new RegExp(`^Restored the backup of .*: 1 account, 0 users, ${keys} API keys`));
    await relay.restart();
    expect(await keyNames(relay)).not.toContain('after the backup');
  }, 90_000);
});
