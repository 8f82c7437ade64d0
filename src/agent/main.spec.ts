import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../test/support/clock/eventually.js';
import { FakeEngine } from '../../test/support/engine/fake-engine.js';
import { FakeRelay } from '../../test/support/agent/fake-relay.js';
import { createNodeId } from '../kernel/ids.js';
import { createNodeKey } from './enrolment/node-key.js';
import { nodeDirectory, writeIdentity } from './enrolment/node-identity.js';
import {
  checkEnginesFile,
  EnginesFileError,
  NodeRefusedError,
  NotJoinedError,
  RelayAddressError,
  startNode,
} from './main.js';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));

let directory: string;
let relay: FakeRelay;
let engine: FakeEngine;
let child: ChildProcess | undefined;

beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'ferry-main-'));
  relay = await FakeRelay.start();
  engine = await FakeEngine.start();
});

afterEach(async () => {
  child?.kill('SIGKILL');
  await relay.stop();
  await engine.stop();
  await rm(directory, { recursive: true, force: true });
});

const env = (): Record<string, string> => ({
  FERRY_DATA_DIR: directory,
  FERRY_DISCOVERY: 'off',
  FERRY_NODE_LOG_LEVEL: 'silent',
});
const join = (): Promise<void> =>
  writeIdentity(directory, {
    version: 1,
    node_id: createNodeId(),
    node_name: 'desk',
    account_id: 'acc_1',
    cluster_id: 'cl_12345678',
    relay_url: relay.url,
    relay_host: new URL(relay.url).host,
    private_key: createNodeKey().exportPrivateKey(),
  });

describe('ferry node join', () => {
  it('ferry node join is refused with an engines file that the node could not start with, as a computer without one is not', async () => {
    await expect(checkEnginesFile(env())).resolves.toBeUndefined();
    await mkdir(nodeDirectory(directory), { recursive: true });
    const entry = { kind: 'openai-compatible', base_url: engine.url, slots: 2_048 };
    await writeFile(path.join(nodeDirectory(directory), 'engines.json'), JSON.stringify({ engines: [entry] }));
    await expect(checkEnginesFile(env())).rejects.toThrow(/engines\[0\]\.slots: at most 1024/);
  });
});

describe('ferry node run', () => {
  it('needs an identity first', async () => {
    const error = await startNode({ env: env() }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(NotJoinedError);
    expect((error as NotJoinedError).advice).toContain('ferry node join');
  });

  it('reports the mistakes of the engines file, and refuses a remote relay without TLS', async () => {
    await join();
    await expect(startNode({ env: env(), relayUrl: 'http://relay.example' })).rejects.toBeInstanceOf(RelayAddressError);
    await writeFile(path.join(nodeDirectory(directory), 'engines.json'), '{"engines":[{"kind":"magic"}]}');
    await expect(startNode({ env: env() })).rejects.toBeInstanceOf(EnginesFileError);
  });

  it('serves engines given by address, at the current relay address', async () => {
    await join();
    const moved = await FakeRelay.start();
    const node = await startNode({ env: env(), engineUrls: [engine.url], relayUrl: moved.url });
    const link = await moved.link(0);
    // The first report does not wait for engines that are slow to answer.
    await eventually('the model is reported', () => [...link.models.values()][0]?.display_name === 'fake');
    expect(node.relayUrl).toBe(moved.url);
    await node.close();
    await moved.stop();
  });

  it('ends when the relay no longer knows the node', async () => {
    await join();
    const node = await startNode({ env: env(), engineUrls: [engine.url] });
    (await relay.link(0)).session.close(4401, 'revoked');
    await expect(node.failed).rejects.toBeInstanceOf(NodeRefusedError);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'finishes running requests after %s and exits 0',
    async (signal) => {
      await join();
      const script = `
      import { runNode } from ${JSON.stringify(MAIN)};
      import writeFileAtomic from 'write-file-atomic';
      // State files are written all the time: the library that writes them listens for signals, too.
      let over = false;
      const writing = (async () => {
        while (!over) await writeFileAtomic(${JSON.stringify(path.join(directory, 'state'))}, 'x', { fsync: false });
      })();
      process.exitCode = await runNode({ env: process.env, engineUrls: [${JSON.stringify(engine.url)}] });
      over = true;
      await writing;`;
      child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
        env: { ...process.env, ...env() },
        stdio: ['ignore', 'inherit', 'inherit'],
      });
      const exited = once(child, 'exit');
      const link = await relay.link(0);
      engine.respond = (call) => {
        call.startStream();
        call.chunk({ content: 'a' });
        setTimeout(() => call.finish(), 300);
      };
      const arrived = engine.nextCall();
      const [modelKey = ''] = link.models.keys();
      const response = link.ask(modelKey, { model: 'public', messages: [], stream: true });
      await arrived;
      child.kill(signal);
      await response.over;
      expect(response.log.at(-1)).toBe('end completed');
      expect(await exited).toEqual([0, null]);
    },
    90_000,
  );
});
