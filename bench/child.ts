/** Child processes of the benchmark: started without output, waited for, and always stopped. */
import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

export const repositoryRoot = path.resolve(import.meta.dirname, '..');

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export function start(command: string, args: readonly string[], options: SpawnOptions = {}): ChildProcess {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'], ...options });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Starts a TypeScript program of this folder with a message channel to it. */
export const startProgram = (
  file: string,
  env: Readonly<Record<string, string>> = {},
  nodeFlags: readonly string[] = [],
  root = repositoryRoot,
): ChildProcess =>
  start(process.execPath, [...nodeFlags, '--import', 'tsx', path.join(root, 'bench', file)], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // Advanced serialization, because JSON would turn NaN, the percentile of an empty list, into null.
    serialization: 'advanced',
  });

export async function stop(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await exited;
  clearTimeout(timer);
}

export const pidOf = (child: ChildProcess): number => {
  if (child.pid === undefined) throw new Error('the process did not start');
  return child.pid;
};

export async function listening(port: number, withinMs = 30_000): Promise<void> {
  const end = performance.now() + withinMs;
  for (;;) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('connect', () => {
        socket.destroy();
        resolve(true);
      });
      socket.once('error', () => {
        resolve(false);
      });
    });
    if (open) return;
    if (performance.now() > end) throw new Error(`nothing listens on port ${port}`);
    await delay(50);
  }
}
