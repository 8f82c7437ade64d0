/** `ferry up --detach`: the same in the background. It goes on when the terminal is closed, but not after a restart of the computer. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { parseJson } from '../../../kernel/json-object.js';
import { stripUnprintable } from '../../../kernel/printable.js';
import { dataDirectory } from '../../../kernel/data-directory.js';
import type { ListenFlags } from '../../core/args/listen-address.js';
import { CliError } from '../../core/errors/cli-error.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import { allocatorEnvironment } from '../../core/supervision/allocator-environment.js';
import type { Invocation } from '../../invocation.js';
import type { Progress } from './progress.js';
import { findRunningInstance } from './running-instance.js';
import { ferryEntry } from './supervisor/process-pair.js';

const ASK_AGAIN_MS = 100;
const LAST_LINES = 8;

type Found = Awaited<ReturnType<typeof findRunningInstance>>;

/**
 * Starts it and waits until it is ready; an abort stops what has been started.
 * @throws CliError with its own last lines, when it ends instead
 */
export async function startDetached(
  { env, global }: Invocation,
  { host, port }: ListenFlags,
  { signal, progress }: { readonly signal: AbortSignal; readonly progress: Progress },
): Promise<NonNullable<Found>> {
  const directory = dataDirectory(env);
  const log = path.join(directory, 'logs', 'up.log');
  mkdirSync(path.dirname(log), { recursive: true, mode: 0o700 });
  const forPeople = global.output !== 'json';
  const words = [
    'up',
    ...(host === undefined ? [] : ['--host', host]),
    ...(port === undefined ? [] : ['--port', port]),
    // As in the foreground: with either, the user's other commands stay signed in elsewhere.
    ...(global.dataDir === undefined ? [] : ['--data-dir', global.dataDir]),
    ...(forPeople ? [] : ['--json']),
  ];
  progress.begin('Ferry, in the background');
  const output = openSync(log, 'w', 0o600);
  // The child prints the API key to stdout.
  const child = spawn(process.execPath, [ferryEntry, ...words], {
    env: { ...allocatorEnvironment, ...env },
    detached: true,
    windowsHide: true,
    stdio: ['ignore', 'ignore', output],
  });
  closeSync(output);
  let ended = false;
  const end = once(child, 'exit').then(() => {
    ended = true;
  });
  try {
    for (;;) {
      const found = await findRunningInstance(directory, { signal, progress, forPeople, isOwnStart: true });
      if (found !== undefined) {
        progress.done();
        child.unref();
        return found;
      }
      // A call, so that the compiler does not narrow the value across the await.
      if (hasEnded()) throw failureOf(log);
      await setTimeout(ASK_AGAIN_MS, undefined, { signal });
    }
  } catch (error) {
    if (!hasEnded()) child.kill('SIGTERM');
    await end;
    throw error;
  }

  function hasEnded(): boolean {
    return ended;
  }
}

/** The child has said why, for people or as JSON. */
function failureOf(log: string): CliError {
  const lines = readFileSync(log, 'utf8')
    .split('\n')
    .map(stripUnprintable)
    .filter((line) => line.trim() !== '');
  const sent = lines.flatMap((line, index) => reportedIn(line, lines[index + 1] ?? '')).at(-1);
  if (sent !== undefined) {
    return new CliError('start_failed', exitCodes.failure, sent.message, {
      hint: sent.hint ?? `the whole log: ${log}`,
    });
  }
  const last = lines.slice(-LAST_LINES).map((line) => `\n  ${line}`);
  return new CliError('start_failed', exitCodes.failure, `Ferry did not start${last.join('')}`, {
    hint: `the whole log: ${log}`,
  });
}

const failureShape = z.object({ error: z.object({ message: z.string(), hint: z.string().nullish() }) });

interface Reported {
  readonly message: string;
  readonly hint: string | undefined;
}

function reportedIn(line: string, next: string): readonly Reported[] {
  if (line.startsWith('error: ')) {
    return [{ message: line.slice('error: '.length), hint: /^ +try: (.*)$/.exec(next)?.[1] }];
  }
  const failure = failureShape.safeParse(parseJson(line)).data;
  return failure === undefined ? [] : [{ message: failure.error.message, hint: failure.error.hint ?? undefined }];
}
