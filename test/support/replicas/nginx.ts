import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually } from '../clock/eventually.js';
import { freePort } from '../network/free-port.js';
import { repositoryRoot } from '../process/ferry-process.js';

const deployment = path.join(repositoryRoot, 'deploy/nginx');
const PROGRAMS = ['nginx', '/usr/sbin/nginx'];
const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/** nginx before several relays, with the configuration of `deploy/nginx`, as an unprivileged process of its own. */
export class Nginx {
  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
    readonly url: string,
  ) {}

  /**
   * @param relays ports
   * @param port absent: any free one
   * @throws Error when the program is not installed
   */
  static async start(relays: readonly number[], port?: number): Promise<Nginx> {
    const folder = await mkdtemp(path.join(tmpdir(), 'ferry-nginx-'));
    // Started by root, its workers are another user.
    await chmod(folder, 0o755);
    const listen = port ?? (await freePort());
    const file = path.join(folder, 'nginx.conf');
    // What it includes is found beside it.
    for (const name of ['ferry.conf', 'link.conf']) await cp(path.join(deployment, name), path.join(folder, name));
    await writeFile(file, configuration(folder, listen, relays));
    const nginx = new Nginx(await launch(['-c', file, '-p', folder]), folder, `http://127.0.0.1:${listen}`);
    await eventually('nginx listens', async () => {
      if (nginx.child.exitCode !== null) throw new Error(`nginx ended: exit code ${nginx.child.exitCode}`);
      return (await fetch(`${nginx.url}/livez`)).status > 0;
    });
    return nginx;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const exited = once(this.child, 'exit');
      this.child.kill('SIGTERM');
      await exited;
    }
    await rm(this.folder, { recursive: true, force: true });
  }
}

async function launch(args: readonly string[]): Promise<ChildProcess> {
  for (const program of PROGRAMS) {
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    const started = await Promise.race([once(child, 'spawn').then(() => true), once(child, 'error').then(() => false)]);
    if (started) return child;
  }
  throw new Error('nginx is not installed: apt-get install nginx-light');
}

const each = (relays: readonly number[], lines: (port: number, name: string) => string): string =>
  relays.map((port, index) => lines(port, `relay-${index + 1}`)).join('\n');

/** As `deploy/nginx/nginx.conf`, with these relays, and only files that an unprivileged process may write. */
const configuration = (folder: string, port: number, relays: readonly number[]): string => `daemon off;
worker_processes 1;
error_log stderr crit;
pid ${folder}/pid;
events {
  worker_connections 8192;
}
http {
  access_log off;
${TEMPORARY.map((name) => `  ${name}_temp_path ${folder}/${name};`).join('\n')}
  upstream relays {
    random;
${each(relays, (relay) => `    server 127.0.0.1:${relay} max_fails=1 fail_timeout=2s;`)}
  }
  server {
    listen 127.0.0.1:${port};
    include ferry.conf;
${each(relays, (relay, name) => `    location /${name}/link {\n      proxy_pass http://127.0.0.1:${relay}/link;\n      include link.conf;\n    }`)}
  }
}
`;
