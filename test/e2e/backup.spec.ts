/** Backup of a relay that is in use, and its restore into another one, with the command line as an operator runs it. */
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { backupShape, restoreShape } from '../../src/cli/commands/backup/backup.shape.js';
import { eventually } from '../support/clock/eventually.js';
import { eventsOf } from '../support/client/event-stream.js';
import type { FakeEngine } from '../support/engine/fake-engine.js';
import { deploy } from '../support/process/deploy.js';
import { ferry, FerryProcess, type CommandResult } from '../support/process/ferry-process.js';
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

describe('ferry backup of an embedded database in use', () => {
  let relay: TestRelay;
  let engine: FakeEngine;

  deploy({ relay: { database: 'embedded' }, engine: { slots: 4 } }, (started) => {
    ({ relay, engine } = started);
  });

  const inDirectory = (name: string): string => path.join(relay.dataDirectory, name);

  const chat = (content: string, stream: boolean): Promise<Response> =>
    relay.chat({ model: 'fake', stream, messages: [{ role: 'user', content }] });

  /** Everything but the time and the checksum. */
  const rowsOf = async (name: string): Promise<string[]> =>
    gunzipSync(await readFile(name))
      .toString()
      .split('\n')
      .slice(1, -2);

  /** Starts a backup, and resolves while it reads its copy of the database. */
  const begun = async (name: string): Promise<FerryProcess> => {
    const process = FerryProcess.start(['backup', inDirectory(name)], relay.serveEnv);
    const { dataDirectory } = relay;
    await eventually('the copy', async () => {
      if (!process.running) throw new Error(`the backup ended: ${process.ending}`);
      return (await readdir(path.join(dataDirectory, 'relay'))).includes('pgdata.copy');
    });
    return process;
  };

  const leftovers = async (): Promise<string[]> => {
    const names = [...(await readdir(relay.dataDirectory)), ...(await readdir(inDirectory('relay')))];
    return names.filter((name) => name.endsWith('.part') || name === 'pgdata.copy');
  };

  it('takes it while a stream and other requests go on, and it restores with everything into a fresh directory', async () => {
    let isTaken = false;
    engine.answer = async (call) => {
      if (!call.streaming) {
        call.completion('short');
        return;
      }
      call.startStream();
      call.chunk({ role: 'assistant', content: '' });
      while (!isTaken) {
        call.chunk({ content: 'tick ' });
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      call.finish();
    };
    const stream = await chat('stream', true);
    const reading = (async () => {
      let last = '';
      for await (const { text } of eventsOf(stream)) last = text;
      return last;
    })();
    await relay.manage('POST', '/keys', { name: 'just before' });
    const taking = ferry(['backup', inDirectory('busy.backup'), '--with-secret', '--json'], relay.serveEnv).finally(
      () => (isTaken = true),
    );
    const statuses: number[] = [];
    while (!isTaken) {
      const response = await chat('short', false);
      await response.text();
      statuses.push(response.status);
      await relay.manage('GET', '/keys');
    }
    const made = await taking;
    expect(made.stderr).toBe('');
    expect(backupShape.parse(JSON.parse(made.stdout)).held_up_ms).toBeGreaterThan(0);
    expect(await reading).toBe('data: [DONE]');
    expect(statuses.length).toBeGreaterThan(0);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await leftovers()).toEqual([]);

    const fresh = await mkdtemp(path.join(tmpdir(), 'ferry-fresh-'));
    try {
      const env = { FERRY_DATA_DIR: fresh, FERRY_CONFIG_DIR: path.join(fresh, 'config') };
      const restored = await ferry(['restore', inDirectory('busy.backup')], env);
      expect(restored).toMatchObject({ code: 0, stdout: expect.stringContaining('1 account') });
      const again = path.join(fresh, 'again.backup');
      expect(await ferry(['backup', again, '--with-secret'], env)).toMatchObject({ code: 0 });
      const rows = await rowsOf(again);
      expect(rows).toEqual(await rowsOf(inDirectory('busy.backup')));
      expect(rows.join('\n')).toContain('"name":"just before"');
    } finally {
      await rm(fresh, { recursive: true, force: true });
    }
  }, 120_000);

  it('is refused while another one runs', async () => {
    const first = await begun('first.backup');
    // So that it is not done before the second one has started.
    first.child.kill('SIGSTOP');
    const second = await run(relay, 'backup', inDirectory('second.backup'));
    expect(second).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('another command reads the database of this relay'),
    });
    first.child.kill('SIGCONT');
    expect(await first.exited).toBe(0);
  }, 60_000);

  it('leaves nothing behind after Ctrl-C, and what a killed one leaves is no backup and goes with the next', async () => {
    const interrupted = await begun('interrupted.backup');
    expect(await interrupted.stop('SIGINT')).toBe(130);
    expect(await leftovers()).toEqual([]);
    const killed = await begun('killed.backup');
    await killed.stop('SIGKILL');
    expect(await readdir(relay.dataDirectory)).not.toContain('killed.backup');
    expect(await run(relay, 'backup', inDirectory('after.backup'))).toMatchObject({ code: 0 });
    expect(await readdir(inDirectory('relay'))).not.toContain('pgdata.copy');
  }, 60_000);
});
