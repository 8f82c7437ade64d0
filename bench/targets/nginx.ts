import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '../../test/support/network/free-port.js';
import { listening, pidOf, start, stop } from '../child.js';
import { needDebianPackage, versionLine } from './debian-package.js';
import type { Target } from './target.js';

const PROGRAM = '/usr/sbin/nginx';

const configuration = (directory: string, port: number, engine: string): string => `
daemon off; worker_processes auto; pid ${directory}/pid; error_log ${directory}/error.log crit;
worker_rlimit_nofile 65536;
events { worker_connections 16384; }
http {
  access_log off; client_body_temp_path ${directory}/body; proxy_temp_path ${directory}/proxy;
  fastcgi_temp_path ${directory}/f; uwsgi_temp_path ${directory}/u; scgi_temp_path ${directory}/s;
  client_max_body_size 64m; keepalive_timeout 300s; keepalive_requests 1000000;
  upstream engine { server ${engine}; keepalive 512; }
  server {
    listen 127.0.0.1:${port} backlog=4096;
    location / { proxy_pass http://engine; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_buffering off; proxy_read_timeout 900s; }
  }
}
`;

/** The reference: a C proxy without a tunnel, streaming unbuffered. */
export const nginx: Target = {
  name: 'nginx',
  version: () => versionLine(PROGRAM, '-v'),
  async start(engineUrl, workDirectory) {
    needDebianPackage(PROGRAM, 'nginx-light');
    const directory = path.join(workDirectory, 'nginx');
    mkdirSync(directory, { recursive: true });
    const port = await freePort();
    writeFileSync(path.join(directory, 'nginx.conf'), configuration(directory, port, new URL(engineUrl).host));
    const child = start(PROGRAM, ['-c', path.join(directory, 'nginx.conf'), '-p', directory]);
    await listening(port);
    return {
      url: `http://127.0.0.1:${port}/v1/chat/completions`,
      headers: {},
      relayPids: [pidOf(child)],
      nodePids: [],
      stop: () => stop(child),
    };
  },
};
