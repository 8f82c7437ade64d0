import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { pidOf, repositoryRoot, start, stop } from '../child.js';
import type { Target } from './target.js';

const entry = path.join(repositoryRoot, 'bin/ferry.js');
const NODES = 10;
const STREAMS_PER_NODE = 1_024;

interface Credentials {
  readonly base_url: string;
  readonly api_key: string;
  readonly cli_token: string;
}

const until = async <Value>(what: string, probe: () => Promise<Value | undefined>): Promise<Value> => {
  const end = performance.now() + 60_000;
  while (performance.now() < end) {
    const value = await probe().catch(() => undefined);
    if (value !== undefined) return value;
    await delay(100);
  }
  throw new Error(`not in time: ${what}`);
};

/** Ferry as it is shipped, through its whole chain: HTTP, relay, link, ten nodes, and the engine behind each of them. */
export const ferry: Target = {
  name: 'Ferry',
  version: () =>
    (JSON.parse(readFileSync(path.join(repositoryRoot, 'package.json'), 'utf8')) as { version: string }).version,
  async start(engineUrl, workDirectory) {
    const directory = path.join(workDirectory, 'ferry');
    rmSync(directory, { recursive: true, force: true });
    mkdirSync(directory, { recursive: true });
    const credentialsFile = path.join(directory, 'credentials.json');
    const relay = start(process.execPath, [entry, 'serve'], {
      env: {
        ...process.env,
        FERRY_PORT: '0',
        FERRY_DATA_DIR: directory,
        FERRY_CONFIG_DIR: directory,
        FERRY_BOOTSTRAP_CREDENTIALS_FILE: credentialsFile,
        FERRY_LOG_LEVEL: 'warn',
      },
    });
    const credentials = await until('the relay is ready', async () => {
      const read = JSON.parse(readFileSync(credentialsFile, 'utf8')) as Credentials;
      return (await fetch(`${read.base_url}/readyz`)).ok ? read : undefined;
    });
    const nodes = await Promise.all(
      Array.from({ length: NODES }, async (_unused, index) => {
        const data = path.join(directory, `node-${index}`);
        mkdirSync(path.join(data, 'node'), { recursive: true });
        const engines = [{ kind: 'openai-compatible', base_url: engineUrl, slots: STREAMS_PER_NODE, poll_ms: 60_000 }];
        writeFileSync(path.join(data, 'node/engines.json'), JSON.stringify({ engines }));
        const joined = await fetch(`${credentials.base_url}/api/join-tokens`, {
          method: 'POST',
          headers: { authorization: `Bearer ${credentials.cli_token}`, 'content-type': 'application/json' },
          body: '{}',
        });
        const { join_token: token } = (await joined.json()) as { join_token: string };
        const env = { ...process.env, FERRY_DATA_DIR: data, FERRY_CONFIG_DIR: data, FERRY_LOG_LEVEL: 'warn' };
        const args = [entry, 'node', 'join', token, '--relay', credentials.base_url, '--name', `bench-${index}`];
        await promisify(execFile)(process.execPath, args, { env });
        return start(process.execPath, [entry, 'node', 'run'], { env });
      }),
    );
    await until('all nodes are online with their model', async () => {
      const response = await fetch(`${credentials.base_url}/api/nodes`, {
        headers: { authorization: `Bearer ${credentials.cli_token}` },
      });
      const { data } = (await response.json()) as { data: { online: boolean; models: unknown[] }[] };
      return data.filter((node) => node.online && node.models.length > 0).length === NODES ? true : undefined;
    });
    return {
      url: `${credentials.base_url}/v1/chat/completions`,
      headers: { authorization: `Bearer ${credentials.api_key}` },
      relayPids: [pidOf(relay)],
      nodePids: nodes.map(pidOf),
      stop: async () => {
        await Promise.all(nodes.map((node) => stop(node)));
        await stop(relay);
      },
    };
  },
};
