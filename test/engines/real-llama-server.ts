/** The real llama-server: the program named by FERRY_TEST_LLAMA_SERVER, with the model that ships with Ferry. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually } from '../support/clock/eventually.js';
import { createHttpEngine } from './create-http-engine.js';
import { llamaServerKind } from '../../src/agent/engines/llama-server/llama-server-adapter.js';
import type { EngineUnderTest } from './engine-under-test.js';

const tinyFile = path.resolve('engines/models/tiny.gguf');
const START_MS = 20_000;
const STOP_MS = 5_000;

export const llamaServerProgram = process.env['FERRY_TEST_LLAMA_SERVER'];
/** `test/engines/programs/xllamacpp-server.py` has no router mode. */
export const hasRouterMode = process.env['FERRY_TEST_LLAMA_SERVER_ROUTER'] !== 'none';
/** Additional arguments, separated by spaces: some builds need `--no-repack`. */
const extraArguments = (process.env['FERRY_TEST_LLAMA_SERVER_ARGS'] ?? '').split(' ').filter((word) => word !== '');

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function startProgram(program: string, given: readonly string[]): Promise<{ url: string; child: ChildProcess }> {
  const port = await freePort();
  const args = ['--host', '127.0.0.1', '--port', String(port), '--jinja', '-t', '1', '-c', '8192', '-np', '2'];
  const child = spawn(program, [...args, ...extraArguments, ...given], { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  await eventually('llama-server answers', async () => (await fetch(`${url}/health`)).ok, START_MS);
  return { url, child };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const hard = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await exited;
  clearTimeout(hard);
}

export async function beginSingle(
  program: string,
  { pollMs }: { pollMs: number },
  more: readonly string[] = [],
): Promise<EngineUnderTest> {
  const { url, child } = await startProgram(program, ['-m', tinyFile, '--alias', 'tiny', ...more]);
  const engine = await createHttpEngine(llamaServerKind, { base_url: url, poll_ms: pollMs });
  return {
    engine,
    resident: 'tiny',
    quit: () => end(child),
    stop: async () => {
      await engine.stop();
      await end(child);
    },
  };
}

export async function beginRouter(program: string, { pollMs }: { pollMs: number }): Promise<EngineUnderTest> {
  const directory = await mkdtemp(path.join(tmpdir(), 'ferry-router-'));
  await Promise.all(['first', 'second'].map((name) => cp(tinyFile, path.join(directory, `${name}.gguf`))));
  const { url, child } = await startProgram(program, ['--models-dir', directory]);
  const tell = (verb: 'load' | 'unload', model: string): Promise<Response> =>
    fetch(`${url}/models/${verb}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model }),
    });
  await tell('load', 'first');
  const engine = await createHttpEngine(llamaServerKind, { base_url: url, poll_ms: pollMs });
  return {
    engine,
    resident: 'first',
    installed: 'second',
    evict: async () => {
      await tell('unload', 'first');
    },
    quit: () => end(child),
    stop: async () => {
      await engine.stop();
      await end(child);
      await rm(directory, { recursive: true, force: true });
    },
  };
}
