/** Running other programs from the scripts, on the Node that runs the scripts. */
import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '..');

/** A failed step. The message fits one line, and so does the advice. */
export class StepError extends Error {
  /** @param {string} message @param {{ advice?: string, cause?: unknown }} [options] */
  constructor(message, { advice, ...options } = {}) {
    super(message, options);
    this.advice = advice;
  }
}

const running = new Set();

/**
 * Runs a JavaScript program. `node` inside of it is this Node as well, whichever one is installed.
 * @param {string[]} words the program and its arguments
 * @param {{ cwd?: string, name: string, output: 'stderr' | 'inherit' | ((text: string) => void), onMessage?: (message: object) => void }}
 * options where its output goes, stdout stays clean with `stderr`; and what becomes of messages that it sends with `process.send`
 */
export function run(words, { cwd = root, name, output, onMessage }) {
  const stdio = { stderr: ['ignore', 2, 2], inherit: 'inherit' }[output] ?? ['ignore', 'pipe', 'pipe'];
  if (onMessage !== undefined) stdio.push('ipc');
  const env = { ...process.env, PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH ?? ''}` };
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, words, { cwd, env, stdio });
    running.add(child);
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', output);
    }
    if (onMessage !== undefined) child.on('message', onMessage);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      running.delete(child);
      if (code === 0) resolve();
      else reject(new StepError(`${name} failed (${signal ?? `exit code ${code}`})`));
    });
  });
}

/** What was started beside a step that has failed is of no use. */
export function endRunning(signal = 'SIGTERM') {
  for (const child of running) child.kill(signal);
}

/**
 * Ends what runs when we are told to end: a signal sent to us alone must leave nothing behind.
 * @param {string} [stays] what a person is told of what was done
 */
export function passSignalsOn(stays) {
  const stop = (signal) => {
    endRunning(signal);
    if (stays !== undefined) process.stderr.write(`\n${stays}\n`);
    process.exit(signal === 'SIGINT' ? 130 : 143);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  return () => {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  };
}

/** npm's own program: the npm that runs this script, else the one beside this Node, else the first on the PATH. */
export function findNpm() {
  const beside = path.dirname(process.execPath);
  const candidates = [
    process.env.npm_execpath,
    path.join(beside, '../lib/node_modules/npm/bin/npm-cli.js'),
    path.join(beside, 'node_modules/npm/bin/npm-cli.js'),
    ...(process.env.PATH ?? '')
      .split(path.delimiter)
      .flatMap((folder) => [path.join(folder, 'npm'), path.join(folder, 'node_modules/npm/bin/npm-cli.js')]),
  ];
  for (const candidate of candidates) {
    if (!candidate || !existsSync(candidate)) continue;
    const file = realpathSync(candidate);
    // On Windows `npm` is a shell script.
    if (/npm-cli\.c?js$/.test(file)) return file;
  }
  throw new StepError('npm was not found; install Node from https://nodejs.org');
}

/** Runs `work` and says on stderr how long it took, whatever became of it. */
export async function step(name, work) {
  const startedAtMs = performance.now();
  const say = (outcome) => {
    process.stderr.write(`${name}: ${outcome}${((performance.now() - startedAtMs) / 1000).toFixed(1)} s\n`);
  };
  try {
    await work();
    say('');
  } catch (error) {
    say('failed after ');
    throw error;
  }
}
