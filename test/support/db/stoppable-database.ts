/**
 * A database that a test stops and starts under a running relay: a separate Postgres server, killed without shutdown, when its binaries
 * are installed; otherwise the embedded database, whose connections are cut.
 */
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { fileExists } from '../../../src/kernel/file-exists.js';
import { freePort } from '../network/free-port.js';
import { preloadedWith } from '../process/ferry-process.js';

interface Database {
  /** Environment of the relay that uses it. */
  readonly env: Readonly<Record<string, string>>;
  /** Immediate, without shutdown. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Connections stay open, new ones are accepted, and nothing answers. A Postgres server: SIGSTOP to all its processes. */
  freeze(): Promise<void>;
  resume(): Promise<void>;
  /** Final stop. */
  remove(): Promise<void>;
}

interface EmbeddedDatabase extends Database {
  readonly kind: 'embedded';
}

export interface PostgresServer extends Database {
  readonly kind: 'postgres';
}

export type StoppableDatabase = EmbeddedDatabase | PostgresServer;

const VERSIONS = '/usr/lib/postgresql';

export async function stoppableDatabase(): Promise<StoppableDatabase> {
  const versions = await readdir(VERSIONS).catch(() => []);
  const newest = versions.sort((a, b) => Number(a) - Number(b)).at(-1) ?? '';
  const binaries = path.join(VERSIONS, newest, 'bin');
  // Debian installs client programs there as well.
  const isServer = await fileExists(path.join(binaries, 'initdb'));
  return isServer ? postgres(binaries) : embedded();
}

async function embedded(): Promise<EmbeddedDatabase> {
  const folder = await mkdtemp(path.join(tmpdir(), 'ferry-outage-'));
  const file = path.join(folder, 'outage');
  const preload = new URL('./database-outage.mjs', import.meta.url);
  return {
    kind: 'embedded',
    env: { ...preloadedWith(preload), DATABASE_OUTAGE: file },
    stop: () => writeFile(file, ''),
    start: () => rm(file),
    freeze: () => writeFile(`${file}.frozen`, ''),
    resume: () => rm(`${file}.frozen`),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function postgres(binaries: string): Promise<PostgresServer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'ferry-pg-'));
  const data = path.join(folder, 'data');
  const port = String(await freePort());
  // Postgres refuses to run as root; its Debian package creates this user.
  const asRoot = userInfo().uid === 0;
  const run = async (program: string, ...args: string[]): Promise<void> => {
    const words = [path.join(binaries, program), ...args];
    const [command = '', ...rest] = asRoot ? ['runuser', '-u', 'postgres', '--', ...words] : words;
    await promisify(execFile)(command, rest, { cwd: folder });
  };
  await chmod(folder, 0o777);
  await run('initdb', '-D', data, '-U', 'ferry', '-A', 'trust', '--no-sync');
  const options = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1`;
  const start = (): Promise<void> =>
    run('pg_ctl', '-D', data, '-w', '-l', path.join(folder, 'log'), '-o', options, 'start');
  const stop = (): Promise<void> => run('pg_ctl', '-D', data, '-m', 'immediate', 'stop');
  const signal = async (name: 'STOP' | 'CONT'): Promise<void> => {
    const [server = ''] = (await readFile(path.join(data, 'postmaster.pid'), 'utf8')).split('\n');
    const { stdout } = await promisify(execFile)('ps', ['-o', 'pid=', '--pid', server, '--ppid', server]);
    for (const pid of stdout.trim().split(/\s+/)) {
      try {
        process.kill(Number(pid), `SIG${name}`);
      } catch (error) {
        // The process of a connection that was closed since.
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
    }
  };
  await start();
  return {
    kind: 'postgres',
    env: {
      DATABASE_URL: `postgres://ferry@127.0.0.1:${port}/postgres`,
      FERRY_SECRET: 'a secret of the test suite, long enough',
    },
    stop,
    start,
    freeze: () => signal('STOP'),
    resume: () => signal('CONT'),
    remove: async () => {
      // Already stopped when a test ended early.
      await stop().catch(() => undefined);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
