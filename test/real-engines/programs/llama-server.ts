/** The real llama-server: the program named by FERRY_TEST_LLAMA_SERVER, with the model that ships with Ferry. */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { llamaServerKind } from '../../../src/agent/engines/llama-server/llama-server-adapter.js';
import { createHttpEngine } from '../../engines/create-http-engine.js';
import type { EngineUnderTest } from '../../engines/engine-under-test.js';
import type { RunningEngine } from '../real-engine.js';
import { freePort, Program } from './program.js';

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
): Promise<EngineUnderTest> {
  const { url, program } = await startProgram(command, ['-m', tinyFile, '--alias', 'tiny', ...more]);
  const engine = await createHttpEngine(llamaServerKind, { base_url: url, poll_ms: pollMs });
  return {
    engine,
    resident: 'tiny',
    quit: () => program.stop(),
    stop: async () => {
      await engine.stop();
      await program.stop();
    },
  };
}

export async function beginRouter(command: string, { pollMs }: { pollMs: number }): Promise<EngineUnderTest> {
  const directory = await mkdtemp(path.join(tmpdir(), 'ferry-router-'));
  await Promise.all(['first', 'second'].map((name) => cp(tinyFile, path.join(directory, `${name}.gguf`))));
  const { url, program } = await startProgram(command, ['--models-dir', directory]);
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
    quit: () => program.stop(),
    stop: async () => {
      await engine.stop();
      await program.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
