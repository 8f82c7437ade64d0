import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '../../test/support/network/free-port.js';
import { listening, pidOf, repositoryRoot, start, stop } from '../child.js';
import type { Target } from './target.js';

const VERSION = '1.15.2';
/** The newest HTTP server with which this gateway streams: later ones make the response headers immutable, and every stream fails with 500. */
const HTTP_SERVER_VERSION = '1.13.8';
/** The name contains the versions, so that an installation of other versions is not reused. */
const installation = path.join(repositoryRoot, `.test-artifacts/portkey-${VERSION}-${HTTP_SERVER_VERSION}`);
const packageDirectory = path.join(installation, 'node_modules/@portkey-ai/gateway');

/** A separate project, because only a root project can override the version of a transitive dependency. */
function install(): void {
  if (existsSync(packageDirectory)) return;
  process.stderr.write(`installing @portkey-ai/gateway@${VERSION} from npm\n`);
  mkdirSync(installation, { recursive: true });
  const manifest = {
    private: true,
    dependencies: { '@portkey-ai/gateway': VERSION },
    overrides: { '@hono/node-server': HTTP_SERVER_VERSION },
  };
  writeFileSync(path.join(installation, 'package.json'), JSON.stringify(manifest));
  execFileSync('npm', ['install', '--silent', '--ignore-scripts', '--no-package-lock'], {
    cwd: installation,
    stdio: 'ignore',
  });
}

/** An AI gateway in the same language. It has no tunnel: it calls the engine directly. */
export const portkey: Target = {
  name: 'Portkey gateway',
  version: () => {
    const manifest = path.join(packageDirectory, 'package.json');
    return existsSync(manifest) ? (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version : VERSION;
  },
  async start(engineUrl) {
    install();
    const port = await freePort();
    const child = start(
      process.execPath,
      [path.join(packageDirectory, 'build/start-server.js'), `--port=${port}`, '--headless'],
      {
        // It logs every failed request, thousands of them with many streams.
        stdio: 'ignore',
        env: { ...process.env, NODE_ENV: 'production', TRUSTED_CUSTOM_HOSTS: 'localhost,127.0.0.1' },
      },
    );
    await listening(port);
    return {
      url: `http://127.0.0.1:${port}/v1/chat/completions`,
      headers: {
        authorization: 'Bearer none',
        'x-portkey-provider': 'openai',
        'x-portkey-custom-host': `${engineUrl}/v1`,
      },
      relayPids: [pidOf(child)],
      nodePids: [],
      stop: () => stop(child),
    };
  },
};
