/**
 * A server on which the commands of docs/operate/deployment.md run as they are printed, without root and systemd: a folder with its own
 * `/etc` and `/var/lib`, a Postgres server, and programs that stand in for those that change a whole computer.
 */
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { stoppableDatabase, type PostgresServer } from '../../support/db/stoppable-database.js';
import { freePort } from '../../support/network/free-port.js';
import { repositoryRoot } from '../../support/process/ferry-process.js';
import { trustedAuthority } from './trusted-authority.js';
import { caddySite, inFolder } from './proxy-programs.js';

const COMMAND_WITHIN_MS = 120_000;

export class PageServer {
  private constructor(
    readonly folder: string,
    readonly url: string,
    readonly authorityFile: string,
    private readonly substitutes: readonly (readonly [string, string])[],
    private readonly env: NodeJS.ProcessEnv,
    private readonly database: PostgresServer,
  ) {}

  static async start(): Promise<PageServer> {
    const folder = await mkdtemp(path.join(tmpdir(), 'ferry-vps-'));
    const database = await postgres();
    const databaseUrl = new URL(database.env['DATABASE_URL'] ?? '');
    const authority = await trustedAuthority();
    const [port, relayPort] = [await freePort(), await freePort()];
    const { cert: certificate, key } = await authority.issue('localhost');
    for (const name of ['bin', 'etc/caddy', 'etc/ferry', 'var/lib/ferry', 'home'])
      await mkdir(path.join(folder, name), { recursive: true });
    const authorityFile = await inFolder(folder, 'authority.pem', authority.certificate);
    for (const [name, text] of Object.entries(standIns(folder))) {
      await writeFile(path.join(folder, 'bin', name), `#!/bin/bash\n${text}`);
      await chmod(path.join(folder, 'bin', name), 0o755);
    }
    const site = { folder, port, relayPort, certificate, key };
    return new PageServer(
      folder,
      `https://localhost:${port}`,
      authorityFile,
      [
        ['relay.example {', await caddySite(site)],
        ['relay.example', `localhost:${port}`],
        ['127.0.0.1:8787', `127.0.0.1:${relayPort}`],
        ['@127.0.0.1/', `@${databaseUrl.host}/`],
        ['/etc/', `${folder}/etc/`],
        ['/var/lib/', `${folder}/var/lib/`],
      ],
      {
        PATH: `${folder}/bin:${process.env['PATH'] ?? ''}`,
        HOME: `${folder}/home`,
        FERRY_PORT: String(relayPort),
        PGHOST: databaseUrl.hostname,
        PGPORT: databaseUrl.port,
        PGUSER: 'postgres',
        // What Let's Encrypt does without.
        NODE_EXTRA_CA_CERTS: authorityFile,
        CURL_CA_BUNDLE: authorityFile,
      },
      database,
    );
  }

  /** Runs one block of the page in the same shell as those before it. @returns what it printed */
  async run(block: string): Promise<string> {
    const commands = this.substitutes.reduce(
      (text, [original, substitute]) => text.replaceAll(original, substitute),
      block,
    );
    const state = path.join(this.folder, 'shell');
    // `set -a`: variables of the shell are still there in the next block.
    const script = `set -aeuo pipefail; [ ! -f ${state} ] || . ${state}\n${commands}\nexport -p > ${state}\n`;
    const options = { cwd: this.folder, env: this.env, timeout: COMMAND_WITHIN_MS };
    return (await promisify(execFile)('bash', ['-c', script], options)).stdout;
  }

  async stop(): Promise<void> {
    for (const service of ['ferry-serve', 'caddy']) await this.run(`systemctl stop ${service}`).catch(() => undefined);
    await this.database.remove();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Its superuser is called as on Debian, and no role `ferry` is there yet. */
async function postgres(): Promise<PostgresServer> {
  const database = await stoppableDatabase();
  if (database.kind !== 'postgres') throw new Error('Postgres is not installed: apt-get install postgresql');
  const address = new URL(database.env['DATABASE_URL'] ?? '');
  for (const [user, statement] of [
    [address.username, 'create role postgres superuser login'],
    ['postgres', `alter role ${address.username} rename to first`],
  ] as const) {
    address.username = user;
    const client = new pg.Client({ connectionString: address.href });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  }
  return database;
}

/** Programs by name, as text for bash. */
const standIns = (folder: string): Readonly<Record<string, string>> => ({
  // Everything belongs to one user.
  sudo: 'while case "$1" in -u) shift;; -E) ;; *) false;; esac; do shift; done; exec "$@"',
  runuser: 'shift 2; exec "$@"',
  useradd: '',
  // One program instead of an installed package, and a service without systemd: with the settings that `service install` would keep.
  ferry: `if [ "$1 $2" != "service install" ]; then exec node ${repositoryRoot}/bin/ferry.js "$@"; fi
{ echo 'FERRY_DATA_DIR="${folder}/var/lib/ferry"'; env | grep -E '^(DATABASE_URL|FERRY_)' | sed -E 's/=(.*)/="\\1"/'; } > ${folder}/etc/ferry/serve.env
systemctl start ferry-serve`,
  systemctl: `cd ${folder}; service=$2
stop() { [ ! -f $service.pid ] || { kill $(cat $service.pid); tail -f /dev/null --pid=$(cat $service.pid); rm $service.pid; }; }
start() {
  case $service in
    ferry-serve) set -a; . etc/ferry/serve.env; command="node ${repositoryRoot}/bin/ferry.js serve" ;;
    caddy) command="caddy run --adapter caddyfile --config etc/caddy/Caddyfile" ;;
  esac
  $command >> $service.log 2>&1 < /dev/null & echo $! > $service.pid
}
case $1 in stop) stop ;; start) start ;; restart) stop; start ;; reload) stop; start ;; esac`,
});
