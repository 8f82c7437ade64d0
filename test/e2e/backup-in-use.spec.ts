// Own relay: its embedded database is copied while it writes.
/** Backup of an embedded database while its relay serves requests: a command reads a copy of the files, one at a time. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { backupShape } from '../../src/cli/commands/backup/backup.shape.js';
import { eventually } from '../support/clock/eventually.js';
import { eventsOf } from '../support/client/event-stream.js';
import type { FakeEngine } from '../support/engine/fake-engine.js';
import { deploy } from '../support/process/deploy.js';
import { ferry, FerryProcess } from '../support/process/ferry-process.js';
import type { TestRelay } from '../support/process/test-relay.js';

/** Between two requests during a backup: it lasts for a second, and without a pause they take the processor from it. */
const REQUEST_EVERY_MS = 50;

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
    engine.respond = async (call) => {
      if (!call.streaming) {
        call.completion('short');
        return;
      }
      call.startStream();
      call.chunk({ role: 'assistant', content: '' });
      while (!isTaken) {
        call.chunk({ content: 'tick ' });
        await delay(20);
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
      await delay(REQUEST_EVERY_MS);
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

  it('ferry backup of an embedded database in use is refused while another one runs', async () => {
    const first = await begun('first.backup');
    // So that it is not done before the second one has started.
    first.child.kill('SIGSTOP');
    const second = await ferry(['backup', inDirectory('second.backup')], relay.serveEnv);
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
    expect(await ferry(['backup', inDirectory('after.backup')], relay.serveEnv)).toMatchObject({ code: 0 });
    expect(await readdir(inDirectory('relay'))).not.toContain('pgdata.copy');
  }, 60_000);
});
