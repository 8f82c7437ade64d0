import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { createConnection } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { acquireInstanceLock, InstanceLockedError, readInstance, type InstanceLock } from './instance-lock.js';

const MODULE = fileURLToPath(new URL('./instance-lock.ts', import.meta.url));

let directory: string;
const held: InstanceLock[] = [];
const children: ChildProcess[] = [];

beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'ferry-lock-'));
});

afterEach(async () => {
  for (const lock of held.splice(0)) await lock.release();
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await rm(directory, { recursive: true, force: true });
});

const acquire = async (
  where = directory,
  name = 'node',
  about: object = { pid: process.pid },
): Promise<InstanceLock> => {
  const lock = await acquireInstanceLock(where, name, () => about);
  held.push(lock);
  return lock;
};

/** Another process that holds the lock, or says why it could not get it. */
async function start(about: object): Promise<{ child: ChildProcess; line: string }> {
  const script = `
    import { acquireInstanceLock } from ${JSON.stringify(MODULE)};
    try {
      await acquireInstanceLock(${JSON.stringify(directory)}, 'node', () => ({ pid: process.pid, ...${JSON.stringify(about)} }));
      console.log('held');
      setInterval(() => {}, 1000);
    } catch (error) { console.log(error.name + ' ' + JSON.stringify(error.holder)); }`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, line: line.toString().trim() };
}

describe('the lock on a directory', () => {
  it('the lock on a directory can be inspected for its holder from outside', async () => {
    expect(await readInstance(directory, 'node')).toBeUndefined();
    await acquire(directory, 'node', { pid: 7, connected: true });
    expect(await readInstance(directory, 'node')).toEqual({ pid: 7, connected: true });
  });

  it('describes its holder as of now, not of acquisition', async () => {
    let connected = false;
    held.push(await acquireInstanceLock(directory, 'node', () => ({ connected })));
    connected = true;
    expect(await readInstance(directory, 'node')).toEqual({ connected: true });
  });

  it('refuses a second holder in one line that names the first', async () => {
    await acquire();
    const refused = await acquire().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(InstanceLockedError);
    expect((refused as InstanceLockedError).message).toBe(
      `${directory} is in use by another process (pid ${String(process.pid)})`,
    );
    expect((refused as InstanceLockedError).holder).toEqual({ pid: process.pid });
  });

  it('refuses a second process', async () => {
    const { line } = await start({ role: 'first' });
    expect(line).toBe('held');
    await expect(acquire()).rejects.toMatchObject({ holder: { role: 'first' } });
  }, 20_000);

  it('the lock on a directory is taken over after kill -9 left its socket behind', async () => {
    const { child } = await start({});
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
    expect((await readdir(directory)).filter((entry) => entry.endsWith('.sock'))).toHaveLength(1);
    expect(await readInstance(directory, 'node')).toBeUndefined();
    await acquire();
    expect(await readInstance(directory, 'node')).toEqual({ pid: process.pid });
  }, 20_000);

  it('the lock on a directory is free again after release; a second release is a no-op', async () => {
    const first = await acquire();
    await first.release();
    await first.release();
    expect(await readInstance(directory, 'node')).toBeUndefined();
    await acquire();
  });

  it('keeps locks of different names apart', async () => {
    await acquire(directory, 'node');
    await acquire(directory, 'relay', { relay: true });
    expect(await readInstance(directory, 'relay')).toEqual({ relay: true });
    expect(await readInstance(directory, 'node')).toEqual({ pid: process.pid });
  });

  it('has exactly one winner among twenty that start at once, in an empty directory and over a stale lock alike', async () => {
    for (let round = 0; round < 10; round += 1) {
      const starters = Array.from({ length: 20 }, (_, index) => acquire(directory, 'node', { index }));
      const results = await Promise.allSettled(starters);
      expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
      for (const result of results) {
        if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(InstanceLockedError);
      }
      for (const lock of held.splice(0)) await lock.release();
    }
  }, 30_000);

  it('never has two holders under constant hand-over', async () => {
    let holders = 0;
    let turns = 0;
    const contend = async (): Promise<void> => {
      for (let round = 0; round < 40; round += 1) {
        const lock = await acquireInstanceLock(directory, 'node', () => ({})).catch((error: unknown) => {
          if (error instanceof InstanceLockedError) return undefined;
          throw error;
        });
        if (lock === undefined) continue;
        holders += 1;
        turns += 1;
        await new Promise(setImmediate);
        expect(holders).toBe(1);
        holders -= 1;
        await lock.release();
      }
    };
    await Promise.all(Array.from({ length: 12 }, contend));
    expect(turns).toBeGreaterThan(1);
  }, 30_000);

  it('the lock on a directory has exactly one winner among processes that start at once over a stale lock', async () => {
    const first = await acquire();
    await first.release();
    const started = await Promise.all([1, 2, 3, 4].map((index) => start({ index })));
    expect(started.filter(({ line }) => line === 'held')).toHaveLength(1);
    expect(started.filter(({ line }) => line.startsWith('InstanceLockedError'))).toHaveLength(3);
  }, 30_000);

  it('leaves a bounded number of files, however often it is taken', async () => {
    for (let round = 0; round < 20; round += 1) await (await acquire()).release();
    expect((await readdir(directory)).length).toBeLessThanOrEqual(2);
  });

  it('the lock on a directory has files that only its owner can read', async () => {
    await acquire();
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    for (const entry of await readdir(directory)) {
      expect((await stat(path.join(directory, entry))).mode & 0o777).toBe(0o600);
    }
  });

  it('works in a directory whose path is longer than a socket address', async () => {
    const deep = path.join(directory, 'a'.repeat(80), 'b'.repeat(80));
    await acquire(deep);
    expect(await readInstance(deep, 'node')).toEqual({ pid: process.pid });
    await expect(acquire(deep)).rejects.toBeInstanceOf(InstanceLockedError);
  });

  it('the lock on a directory can be released while an inspecting connection stays open', async () => {
    await mkdir(directory, { recursive: true });
    const lock = await acquire();
    const socket = createConnection({ path: path.join(directory, 'node.1.sock'), allowHalfOpen: true });
    await once(socket, 'connect');
    await lock.release();
    socket.destroy();
    expect(await readInstance(directory, 'node')).toBeUndefined();
  });
});
