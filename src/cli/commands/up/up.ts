import { systemClock } from '../../../kernel/clock.js';
import { dataDirectory } from '../../../kernel/data-directory.js';
import { InstanceLockedError, type InstanceLock } from '../../../kernel/instance-lock.js';
import { CliError } from '../../core/errors/cli-error.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import type { Environment, Invocation } from '../../invocation.js';
import { watchStopSignals } from '../../core/supervision/stop-signals.js';
import { claimDataDirectory } from './claim-data-directory.js';
import { LocalDeployment } from './local-deployment.js';
import { createProgress } from './progress.js';
import type { ReadyFacts } from './ready-facts.js';
import { readyScreen } from './ready-screen.js';
import { describeInstance, findRunningInstance } from './running-instance.js';
import { signIn } from './sign-in.js';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** The defaults of the relay's settings, which are not loaded here. */
const DEFAULT_HOST = '127.0.0.1';
const DEFAULT_PORT = '8787';

interface UpFlags {
  readonly host?: string;
  readonly port?: string;
}

/**
 * Starts relay and node, prints how to use them, and returns when Ctrl-C or SIGTERM has stopped both in order. A second signal stops them at
 * once. If relay and node of the data directory already run, prints how to use those and returns.
 * @throws CliError when something did not start; nothing is left running then
 */
export async function up(invocation: Invocation, flags: UpFlags): Promise<void> {
  const { terminal, env, global } = invocation;
  const directory = dataDirectory(env);
  const progress = await createProgress(terminal);
  const signals = watchStopSignals(process, systemClock);
  const cancel = new AbortController();
  void signals.first.then(() => {
    cancel.abort();
  });

  let facts: ReadyFacts | undefined;
  let lock: InstanceLock | undefined;
  let deployment: LocalDeployment | undefined;
  try {
    lock = await claimDataDirectory(directory, () => describeInstance(facts)).catch(async (error: unknown) => {
      const running =
        error instanceof InstanceLockedError
          ? await findRunningInstance(directory, { signal: cancel.signal, progress })
          : undefined;
      if (running === undefined) throw error;
      printReady(invocation, running.facts, running.pid);
      return undefined;
    });
    if (lock === undefined) return;
    cancel.signal.throwIfAborted();
    const { host, port } = listenAddress(env, flags);
    await checkPort(host, Number(port));
    const started = new LocalDeployment({ directory, env, host, port, progress });
    deployment = started;
    void signals.second.then(() => {
      started.kill();
      process.exit(exitCodes.interrupted);
    });

    facts = await Promise.race([started.start(cancel.signal), rejectOnAbort(cancel.signal)]);
    const note = await signInUnlessSeparate(invocation, started);
    printReady(invocation, facts);
    if (note !== undefined) terminal.note(note);

    await signals.first;
    progress('Stopping; answers that are being written may finish. Ctrl-C again stops at once');
  } catch (error) {
    if (cancel.signal.aborted) throw new CliError('interrupted', exitCodes.interrupted, 'interrupted');
    if (deployment !== undefined && global.output !== 'json') showLog(deployment, terminal.note, error);
    throw error;
  } finally {
    await deployment?.stop();
    await lock?.release();
    signals.dispose();
  }
}

function printReady({ terminal, global }: Invocation, facts: ReadyFacts, runningPid?: number): void {
  if (global.output === 'json') terminal.print(JSON.stringify(facts));
  else terminal.print(readyScreen(facts, terminal.stdoutColors, runningPid));
}

/**
 * An instance with its own data directory, or one that a program started, does not become the default of `ferry` on this computer:
 * the sign-in in the profile stays unchanged.
 * @returns a message for the user
 */
async function signInUnlessSeparate(
  { env, global }: Invocation,
  deployment: LocalDeployment,
): Promise<string | undefined> {
  if (global.output === 'json') return undefined;
  if (global.dataDir === undefined) return signIn(env, await deployment.credentials());
  return `For other commands with this relay: pass --data-dir ${global.dataDir}, or set FERRY_DATA_DIR`;
}

// Shells and compose files use an empty variable for "not set".
const listenAddress = (env: Environment, flags: UpFlags): { host: string; port: string } => ({
  host: flags.host ?? (env['FERRY_HOST'] || DEFAULT_HOST),
  port: flags.port ?? (env['FERRY_PORT'] || DEFAULT_PORT),
});

/** Stopping must not wait for the start, whatever its progress. */
function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => {
      reject(new Error('aborted'));
    });
  });
}

const LAST_LINES = 8;

/** An error that names its cause, such as a port in use, needs no log. */
function showLog({ suspectLog: log }: LocalDeployment, note: (line: string) => void, error: unknown): void {
  if (error instanceof CliError && !['start_failed', 'failure', 'no_model_loaded'].includes(error.code)) return;
  const lines = log.lastLines(LAST_LINES).filter((line) => line !== '');
  if (lines.length === 0) return;
  note(`The last lines of ${log.file}:`);
  for (const line of lines) note(`  ${line}`);
}

/**
 * Listens briefly, so that a port in use is reported before anything is started. @throws EADDRINUSE, EACCES, EADDRNOTAVAIL of `listen`
 */
export async function checkPort(host: string, port: number): Promise<void> {
  if (port === 0) return;
  const server = createServer();
  server.listen({ host, port, exclusive: true });
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
}
