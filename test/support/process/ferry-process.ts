/** Runs the built `ferry` as a separate process, configured by environment and flags. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import path from 'node:path';
import { UNHANDLED_FAILURE } from '../../../src/kernel/unhandled-failures.js';
import { timeFactor } from '../../runner/time-factor.js';

export const repositoryRoot = path.resolve(import.meta.dirname, '../../..');
const entry = path.join(repositoryRoot, 'bin/ferry.js');
/** The same program in a file per module: a preload can find its classes there, but not in a bundle. */
const unbundled = path.join(repositoryRoot, 'dist/cli/main.js');

/** The environment of a process whose preload changes or counts classes of Ferry, which it imports from `dist`. */
export const preloadedWith = (preload: URL): Record<string, string> => ({
  NODE_OPTIONS: `--import=${preload.href}`,
  TEST_UNBUNDLED: '1',
});

/** Excludes the developer's own configuration. */
const cleanEnvironment = (): NodeJS.ProcessEnv => {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('FERRY_') && name !== 'DATABASE_URL' && name !== 'NODE_OPTIONS',
  );
  const fastPath = process.env['TEST_FAST_PATH'];
  return { ...Object.fromEntries(inherited), ...(fastPath === undefined ? {} : { FERRY_FAST_PATH: fastPath }) };
};

/** Of a process that is given `own`. Excludes engines that run on the developer's computer. */
export const environment = (own: Readonly<Record<string, string | undefined>>): NodeJS.ProcessEnv => ({
  ...cleanEnvironment(),
  NO_COLOR: '1',
  FERRY_DISCOVERY: 'off',
  ...own,
});

export class FerryProcess {
  stdout = '';
  stderr = '';
  readonly exited: Promise<number | NodeJS.Signals>;

  private constructor(readonly child: ChildProcess) {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.exited = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals);
  }

  static start(
    args: readonly string[],
    env: Readonly<Record<string, string | undefined>> = {},
    stdin: 'ignore' | 'pipe' = 'ignore',
  ): FerryProcess {
    const program = env['TEST_UNBUNDLED'] === undefined ? entry : unbundled;
    return FerryProcess.startProgram(process.execPath, [program, ...args], repositoryRoot, env, stdin);
  }

  /**
   * As `ferry up` starts it: the process ends by itself when this one has ended, however that happened. It does not keep this one alive.
   */
  static supervised(args: readonly string[], env: Readonly<Record<string, string | undefined>>): FerryProcess {
    const child = spawn(process.execPath, [entry, ...args], {
      cwd: repositoryRoot,
      env: environment(env),
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    child.unref();
    child.channel?.unref();
    for (const stream of [child.stdout, child.stderr]) (stream as Socket).unref();
    return new FerryProcess(child);
  }

  /** Another program, such as an installed `ferry`. */
  static startProgram(
    program: string,
    args: readonly string[],
    cwd: string,
    env: Readonly<Record<string, string | undefined>>,
    stdin: 'ignore' | 'pipe' = 'ignore',
  ): FerryProcess {
    const child = spawn(program, args, {
      cwd,
      env: environment(env),
      stdio: [stdin, 'pipe', 'pipe'],
    });
    return new FerryProcess(child);
  }

  get pid(): number {
    if (this.child.pid === undefined) throw new Error('the process did not start');
    return this.child.pid;
  }

  get running(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Exit status and the end of its log, for failure messages. */
  get ending(): string {
    return `${this.child.signalCode ?? `exit code ${this.child.exitCode}`}\n${this.stderr.slice(-4_000)}`;
  }

  /** Resolves when the process has written something, or has ended. */
  async said(): Promise<void> {
    const { stdout, stderr } = this.child;
    if (this.stdout !== '' || this.stderr !== '') return;
    const parts = [stdout, stderr].filter((stream) => stream !== null);
    await Promise.race([this.exited, ...parts.map((stream) => once(stream, 'data'))]);
  }

  /** For a program that was started with a pipe as its input. */
  type(text: string): void {
    this.child.stdin?.write(text);
  }

  /** Sends the signal and waits for the exit; a process that ignores it fails the test with its log. */
  async stop(signal: NodeJS.Signals = 'SIGTERM', limitMs = 20_000): Promise<number | NodeJS.Signals> {
    if (this.running) this.child.kill(signal);
    const withinMs = limitMs * timeFactor;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        this.child.kill('SIGKILL');
        reject(new Error(`still running ${withinMs} ms after ${signal}:\n${this.stderr.slice(-4_000)}`));
      }, withinMs);
    });
    const outcome = await Promise.race([this.exited, late]).finally(() => clearTimeout(timer));
    this.assertHandledAll();
    return outcome;
  }

  /** The process outlives such a failure, which would go unnoticed. */
  assertHandledAll(): void {
    if (this.stderr.includes(UNHANDLED_FAILURE))
      throw new Error(`a failure that no code handled:\n${this.stderr.slice(-4_000)}`);
  }
}

export interface CommandResult {
  readonly code: number | NodeJS.Signals;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command to its end. @param input its complete stdin; absent: none */
export async function ferry(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
  input?: string,
): Promise<CommandResult> {
  const process = FerryProcess.start(args, env, input === undefined ? 'ignore' : 'pipe');
  if (input !== undefined) process.type(input);
  const code = await process.exited;
  return { code, stdout: process.stdout, stderr: process.stderr };
}
