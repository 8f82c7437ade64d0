/** The real llama-server: the program named by FERRY_TEST_LLAMA_SERVER, with the model that ships with Ferry. */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { llamaServerKind } from '../../../src/agent/engines/llama-server/llama-server-adapter.js';
import { createHttpEngine } from '../../engines/create-http-engine.js';
import type { EngineUnderTest } from '../../engines/engine-under-test.js';
import { eventually } from '../../support/clock/eventually.js';
import { freePort } from '../../support/network/free-port.js';
import type { RunningEngine } from '../real-engine.js';
import { Program } from './program.js';

export const tinyFile = path.resolve('engines/models/tiny.gguf');
const START_MS = 20_000;

/** `xllamacpp-server.py` has no router mode. */
export const hasRouterMode = process.env['FERRY_TEST_LLAMA_SERVER_ROUTER'] !== 'none';
/** Additional arguments, separated by spaces: some builds need `--no-repack`. */
const extraArguments = (process.env['FERRY_TEST_LLAMA_SERVER_ARGS'] ?? '').split(' ').filter((word) => word !== '');
/** Of llama-server and of what starts one. */
export const llamaServerArguments = ['--jinja', '-t', '1', '-c', '8192', '-np', '2', ...extraArguments];

async function startProgram(command: string, given: readonly string[]): Promise<{ url: string; program: Program }> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const args = ['--host', '127.0.0.1', '--port', String(port), ...llamaServerArguments, ...given];
  return { url, program: await Program.start({ command, args, readyAt: `${url}/health`, startMs: START_MS }) };
}

export async function runSingle(command: string): Promise<RunningEngine> {
  const { url, program } = await startProgram(command, ['-m', tinyFile, '--alias', 'tiny']);
  return {
    url,
    program,
    resident: 'tiny',
    loaded: async () => {
      const { data } = (await (await fetch(`${url}/v1/models`)).json()) as { data: readonly { id: string }[] };
      return data.map(({ id }) => id);
    },
    stop: () => program.stop(),
  };
}

export async function beginSingle(
  command: string,
  { pollMs }: { pollMs: number },
  more: readonly string[] = [],
): Promise<EngineUnderTest & { readonly url: string }> {
  const { url, program } = await startProgram(command, ['-m', tinyFile, '--alias', 'tiny', ...more]);
  const engine = await createHttpEngine(llamaServerKind, { base_url: url, poll_ms: pollMs });
  return {
    url,
    engine,
    resident: 'tiny',
    quit: () => program.stop(),
    stop: async () => {
      await engine.stop();
      await program.stop();
    },
  };
}

type Router = RunningEngine & Required<Pick<RunningEngine, 'installed' | 'evict' | 'program'>>;

/** A router with two models, of which the first is in memory. */
export async function runRouter(command: string): Promise<Router> {
  const directory = await mkdtemp(path.join(tmpdir(), 'ferry-router-'));
  await Promise.all(['first', 'second'].map((name) => cp(tinyFile, path.join(directory, `${name}.gguf`))));
  const { url, program } = await startProgram(command, ['--models-dir', directory]);
  const tell = async (verb: 'load' | 'unload'): Promise<void> => {
    await fetch(`${url}/models/${verb}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'first' }),
    });
  };
  const loaded = async (): Promise<readonly string[]> => {
    type Listed = { readonly data: readonly { readonly id: string; readonly status: { readonly value: string } }[] };
    const { data } = (await (await fetch(`${url}/models`)).json()) as Listed;
    return data.filter(({ status }) => status.value === 'loaded').map(({ id }) => id);
  };
  const bringBack = async (): Promise<void> => {
    await tell('load');
    await eventually('the router has loaded its model', async () => (await loaded()).includes('first'), START_MS);
  };
  await bringBack();
  return {
    url,
    program,
    resident: 'first',
    installed: 'second',
    loaded,
    evict: () => tell('unload'),
    bringBack,
    stop: async () => {
      await program.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

export async function beginRouter(command: string, { pollMs }: { pollMs: number }): Promise<EngineUnderTest> {
  const { url, program, resident, installed, evict, stop } = await runRouter(command);
  const engine = await createHttpEngine(llamaServerKind, { base_url: url, poll_ms: pollMs });
  return {
    engine,
    resident,
    installed,
    evict,
    quit: () => program.stop(),
    stop: async () => {
      await engine.stop();
      await stop();
    },
  };
}
