import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../../test/support/network/free-port.js';
import { listening, pidOf, start, stop } from '../child.js';
import { needDebianPackage, versionLine } from './debian-package.js';

export interface RunningPostgres {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Where Debian installs its versions. */
const VERSIONS = '/usr/lib/postgresql';

function programs(): string {
  if (!existsSync(VERSIONS)) needDebianPackage('/usr/bin/pg_ctlcluster', 'postgresql');
  const newest = readdirSync(VERSIONS).sort((a, b) => Number(b) - Number(a))[0];
  if (newest === undefined) throw new Error('PostgreSQL is not installed');
  return path.join(VERSIONS, newest, 'bin');
}

export const postgresVersion = (): string => versionLine(path.join(programs(), 'postgres'), '--version');

/** The server refuses to run as root; its package creates this user. */
function owner(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** A separate Postgres with the default settings of its package, as in a company. Its CPU does not count as the relay's. */
export async function startPostgres(): Promise<RunningPostgres> {
  const bin = programs();
  const as = owner();
  // Outside the benchmark's folder: the user of the server may not enter root's folders.
  const data = mkdtempSync(path.join(tmpdir(), 'ferry-bench-postgres-'));
  if (as !== undefined) chownSync(data, as.uid, as.gid);
  execFileSync(path.join(bin, 'initdb'), ['-D', data, '-U', 'ferry', '-A', 'trust'], {
    stdio: 'ignore',
    cwd: data,
    ...as,
  });
  const port = await freePort();
  const listens = 'listen_addresses=127.0.0.1';
  const server = start(path.join(bin, 'postgres'), ['-D', data, '-k', data, '-p', String(port), '-c', listens], {
    stdio: 'ignore',
    cwd: data,
    ...as,
  });
  await listening(port);
  return {
    url: `postgres://ferry@127.0.0.1:${port}/postgres`,
    pid: pidOf(server),
    async stop() {
      await stop(server, 'SIGINT');
      rmSync(data, { recursive: true, force: true });
    },
  };
}
