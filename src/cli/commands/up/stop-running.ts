/** `ferry down`: stops the `ferry up` of this data directory, wherever it was started. */
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { dataDirectory } from '../../../kernel/data-directory.js';
import { readInstance } from '../../../kernel/instance-lock.js';
import { CliError } from '../../core/errors/cli-error.js';
import { CommandEnded } from '../../core/errors/command-ended.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import { printData, silently } from '../../core/output/print-data.js';
import { untilStopped } from '../../core/supervision/stop-signals.js';
import type { Invocation } from '../../invocation.js';
import { createProgress } from './progress.js';
import { findHolder } from './running-instance.js';

const ASK_AGAIN_MS = 100;

export const stoppedShape = z.strictObject({
  object: z.literal('stopped'),
  pid: z.number().int().describe('of the process that was ferry up'),
  data_dir: z.string(),
});

/** Returns when it has stopped; running responses may finish first. @throws CliError (not found) when it does not run */
export async function stopRunning(invocation: Invocation): Promise<void> {
  const { env, terminal } = invocation;
  const directory = dataDirectory(env);
  const holder = await findHolder(directory);
  if (holder === undefined) throw await notRunning(directory);
  if (holder.isInOtherContainer) throw inOtherContainer(holder.pid);
  signalProcess(holder.pid);
  const progress = createProgress(terminal);
  progress.begin(`stopping process ${String(holder.pid)}; running answers may finish`);
  await untilStopped(async (stop) => {
    while ((await findHolder(directory))?.pid === holder.pid) {
      if (stop.aborted) {
        progress.end();
        terminal.note('It goes on stopping. At once, without its running answers: ferry down');
        throw new CommandEnded(exitCodes.interrupted);
      }
      await setTimeout(ASK_AGAIN_MS, undefined, { signal: stop }).catch(() => undefined);
    }
  });
  progress.done('Ferry has stopped; everything is kept, and ferry up starts it again');
  progress.end();
  if (holder.isService) {
    terminal.note('It is a service: it starts again with this computer. For good: ferry service uninstall up');
  }
  await printData(invocation, { object: 'stopped', pid: holder.pid, data_dir: directory }, silently);
}

/** A second signal stops it at once. */
function signalProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // It has just ended by itself.
    if (code === 'ESRCH') return;
    if (code !== 'EPERM') throw error;
    throw new CliError('not_permitted', exitCodes.failure, `process ${String(pid)} belongs to another user`, {
      hint: 'sudo env "PATH=$PATH" ferry down --data-dir DIRECTORY, or the same as that user',
    });
  }
}

/** A signal to that number would reach another process. */
const inOtherContainer = (pid: number): CliError =>
  new CliError('not_permitted', exitCodes.failure, `it runs in another container, as process ${String(pid)} there`, {
    hint: 'ferry down in that container, or stop the container',
  });

/** Relay and node may run each for itself. */
async function notRunning(directory: string): Promise<CliError> {
  for (const [name, command] of [
    ['relay', 'ferry serve'],
    ['node', 'ferry node run'],
  ] as const) {
    if ((await readInstance(path.join(directory, name), name)) === undefined) continue;
    return new CliError('not_running', exitCodes.notFound, `here runs ${command}, not ferry up (${directory})`, {
      hint: 'Ctrl-C where it was started; a service: ferry service status',
    });
  }
  return new CliError('not_running', exitCodes.notFound, `Ferry does not run on ${directory}`, {
    hint: 'ferry up starts it; --data-dir names another directory',
  });
}
