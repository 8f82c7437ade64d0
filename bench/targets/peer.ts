/** Any other relay or proxy, named on the command line of the benchmark: `--peer NAME=COMMAND`, or `NAME@/path/v1=COMMAND`. */
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { eventually } from '../../test/support/clock/eventually.js';
import { freePort } from '../../test/support/network/free-port.js';
import { listening, pidOf, start, stop } from '../child.js';
import { processTree } from '../measure/process-usage.js';
import type { Target } from './target.js';

/** A program that dials out answers when its agent has connected, and some poll for that. */
const READY_WITHIN_MS = 30_000;
const TRY_MS = 5_000;

/**
 * The command runs in a shell with `BENCH_ENGINE` (URL of the engine), `BENCH_PORT` (where it must serve `/chat/completions` below the path,
 * which is `/v1` if none is named, to the key `bench`) and `BENCH_DIRECTORY` (an empty folder). It stays in the foreground; its process group
 * is ended. Process ids that it writes to `$BENCH_DIRECTORY/agents`, one in a line, count as the engine's side, all others as the public side.
 * @throws Error for a value without a name or a command
 */
export function peerOf(value: string): Target {
  const at = value.indexOf('=');
  const [name = '', basePath = '/v1'] = value.slice(0, Math.max(0, at)).trim().split('@');
  const command = value.slice(at + 1).trim();
  if (name === '' || command === '')
    throw new Error(`--peer takes NAME=COMMAND or NAME@/path/v1=COMMAND, not "${value}"`);
  return {
    name,
    version: () => command,
    async start(engineUrl, workDirectory) {
      const directory = path.join(workDirectory, `peer-${name.replaceAll(/\W+/g, '-')}`);
      rmSync(directory, { recursive: true, force: true });
      mkdirSync(directory, { recursive: true });
      const port = await freePort();
      const child = start('/bin/sh', ['-c', command], {
        detached: true,
        env: { ...process.env, BENCH_ENGINE: engineUrl, BENCH_PORT: String(port), BENCH_DIRECTORY: directory },
      });
      const kill = () => signalGroup(child, 'SIGKILL');
      const end = () => process.exit(1);
      process.on('exit', kill).on('SIGINT', end).on('SIGTERM', end);
      const stopAll = async () => {
        process.off('exit', kill).off('SIGINT', end).off('SIGTERM', end);
        await stopGroup(child);
      };
      const url = `http://127.0.0.1:${port}${basePath}/chat/completions`;
      try {
        await listening(port);
        await answering(url);
      } catch (error) {
        await stopAll();
        throw error;
      }
      const agents = agentsIn(directory).flatMap(processTree);
      return {
        url,
        headers: { authorization: 'Bearer bench' },
        // Without those that have an agent below them, as the shell has: measuring counts what is below a process, too.
        relayPids: processTree(pidOf(child)).filter((pid) => !processTree(pid).some((one) => agents.includes(one))),
        nodePids: agents,
        stop: stopAll,
      };
    },
  };
}

/** Also what the command has started, and does not end by itself. */
async function stopGroup(child: ChildProcess): Promise<void> {
  signalGroup(child, 'SIGTERM');
  await stop(child);
  signalGroup(child, 'SIGKILL');
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(-pidOf(child), signal);
  } catch {
    // All of them have ended.
  }
}

/** @throws Error when no request succeeds in time */
async function answering(url: string): Promise<void> {
  const body = JSON.stringify({ model: 'bench', messages: [{ role: 'user', content: 'hi' }] });
  const headers = { authorization: 'Bearer bench', 'content-type': 'application/json' };
  const answers = async (): Promise<boolean> => {
    const response = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(TRY_MS) });
    await response.text();
    return response.ok;
  };
  await eventually('it answers a request', answers, READY_WITHIN_MS);
}

function agentsIn(directory: string): readonly number[] {
  const file = path.join(directory, 'agents');
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .map(Number)
    .filter((pid) => pid > 0);
}
