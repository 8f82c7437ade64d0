/** The proxies of `deploy/`: their example files, changed only where an unprivileged process on free ports has to differ. */
import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findPython } from '../../support/client/find-python.mjs';
import { pythonEnvironment } from '../../support/client/python-environment.mjs';
import { repositoryRoot } from '../../support/process/ferry-process.js';

/** A place to run one proxy. */
export interface ProxySite {
  readonly folder: string;
  readonly port: number;
  readonly relayPort: number;
  /** PEM. */
  readonly certificate: string;
  readonly key: string;
}

export interface ProxyProgram {
  readonly name: string;
  /** What starts it: the name of a Debian package and its command, or the path of a program that is installed first. */
  readonly command: string | (() => Promise<string>);
  /** Ends a response of the relay that breaks off as if it were whole. */
  readonly endsBrokenAnswers?: true;
  /** Writes its files into the folder of the site. @returns the arguments that start it in the foreground */
  readonly configure: (site: ProxySite) => Promise<readonly string[]>;
}

const deployment = path.join(repositoryRoot, 'deploy');
const NGINX_TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

type Substitutes = Readonly<Record<string, string>>;

/** @throws Error when the example has no such text: the test would run something else */
async function example(file: string, substitutes: Substitutes): Promise<string> {
  let text = await readFile(path.join(deployment, file), 'utf8');
  for (const [original, substitute] of Object.entries(substitutes)) {
    if (!text.includes(original)) throw new Error(`deploy/${file} has no "${original}"`);
    text = text.replaceAll(original, substitute);
  }
  return text;
}

const common = ({ relayPort }: ProxySite): Substitutes => ({ '127.0.0.1:8787': `127.0.0.1:${relayPort}` });

export async function inFolder(folder: string, name: string, text: string): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, text, { mode: 0o600 });
  return file;
}

const nginx: ProxyProgram = {
  name: 'nginx',
  command: 'nginx',
  configure: async (site) => {
    // What an example includes is found beside the main file.
    for (const name of ['ferry.conf', 'link.conf'])
      await cp(path.join(deployment, 'nginx', name), path.join(site.folder, name));
    const relay = await example('nginx/relay.conf', {
      ...common(site),
      'listen 443': `listen 127.0.0.1:${site.port}`,
      'server_name relay.example': 'server_name localhost',
      '/etc/ssl/relay.example.pem': await inFolder(site.folder, 'certificate.pem', site.certificate),
      '/etc/ssl/relay.example.key': await inFolder(site.folder, 'key.pem', site.key),
    });
    await inFolder(site.folder, 'relay.conf', relay);
    const main = await inFolder(site.folder, 'nginx.conf', nginxMain(site));
    return ['-c', main, '-p', site.folder];
  },
};

/** As Debian's `/etc/nginx/nginx.conf`, with files that an unprivileged process may write. */
const nginxMain = ({ folder }: ProxySite): string => `daemon off;
worker_processes 1;
error_log stderr warn;
pid ${folder}/pid;
events { worker_connections 2048; }
http {
  access_log off;
${NGINX_TEMPORARY.map((name) => `  ${name}_temp_path ${folder}/${name};`).join('\n')}
  include relay.conf;
}
`;

const haproxy: ProxyProgram = {
  name: 'HAProxy',
  command: 'haproxy',
  configure: async (site) => {
    const file = await example('haproxy/haproxy.cfg', {
      ...common(site),
      'bind :443': `bind 127.0.0.1:${site.port}`,
      '/etc/haproxy/relay.example.pem': await inFolder(
        site.folder,
        'certificate.pem',
        `${site.certificate}\n${site.key}`,
      ),
    });
    return ['-f', await inFolder(site.folder, 'haproxy.cfg', file)];
  },
};

const caddy: ProxyProgram = {
  name: 'Caddy',
  endsBrokenAnswers: true,
  command: 'caddy',
  configure: async (site) => {
    const file = await example('caddy/Caddyfile', { ...common(site), 'relay.example {': await caddySite(site) });
    return ['run', '--adapter', 'caddyfile', '--config', await inFolder(site.folder, 'Caddyfile', file)];
  },
};

/** In place of `relay.example {`. Port 80 belongs to somebody else, and so does the folder of certificates. */
export async function caddySite({ folder, port, certificate, key }: ProxySite): Promise<string> {
  const files = [await inFolder(folder, 'certificate.pem', certificate), await inFolder(folder, 'key.pem', key)];
  return `{
	admin off
	auto_https disable_redirects
	storage file_system ${folder}
}
localhost:${port} {
	bind 127.0.0.1
	tls ${files.join(' ')}`;
}

const traefik: ProxyProgram = {
  name: 'Traefik',
  command: traefikProgram,
  configure: async (site) => {
    const { folder, port, certificate, key } = site;
    const files = [await inFolder(folder, 'certificate.pem', certificate), await inFolder(folder, 'key.pem', key)];
    const routes = await example('traefik/ferry.yaml', {
      ...common(site),
      'relay.example`': 'localhost`',
      'tls:\n        certResolver: letsencrypt\n': 'tls: {}\n',
    });
    const pairs = `tls: { certificates: [{ certFile: ${files.join(', keyFile: ')} }] }\n`;
    const main = await example('traefik/traefik.yaml', {
      "':443'": `127.0.0.1:${port}`,
      '/etc/traefik/ferry.yaml': await inFolder(folder, 'ferry.yaml', routes + pairs),
      // No certificate is asked for, but the settings for it are read.
      '/var/lib/traefik/acme.json': path.join(folder, 'acme.json'),
    });
    const offline = 'global: { checkNewVersion: false, sendAnonymousUsage: false }\n';
    return [`--configFile=${await inFolder(folder, 'traefik.yaml', main + offline)}`];
  },
};

async function traefikProgram(): Promise<string> {
  const python = findPython();
  if (python === undefined) throw new Error('Traefik needs Python 3.11 with venv: apt-get install python3-venv');
  const interpreter = await pythonEnvironment(python, path.join(import.meta.dirname, 'traefik.txt'));
  return path.join(path.dirname(interpreter), 'traefik');
}

export const proxyPrograms = { nginx, haproxy, caddy, traefik };
