import type { RelaySettings } from '../../../relay/settings.js';
import { systemClock } from '../../../kernel/clock.js';
import { dataDirectory } from '../../../kernel/data-directory.js';
import { InstanceLockedError, readInstance, type InstanceLock } from '../../../kernel/instance-lock.js';
import { CliError } from '../../core/errors/cli-error.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import { packageVersion } from '../../core/package-version.js';
import { watchStopSignals } from '../../core/supervision/stop-signals.js';
import type { Environment, Invocation } from '../../invocation.js';
import { claimDataDirectory } from './claim-data-directory.js';
import { checkPort, type ListenFlags } from '../../core/args/listen-address.js';
import { relaySettingsOf } from '../../core/args/relay-settings.js';
import { LocalDeployment } from './local-deployment.js';
import { createProgress } from './progress.js';
import { pathLine, qrCode } from './ready-lines.js';
import type { ReadyReport } from './ready-report.js';
import { readyScreen, type RunningElsewhere } from './ready-screen.js';
import { describeInstance, findRunningInstance, UP_LOCK, type ReadyInstance } from './running-instance.js';
import { signIn } from './sign-in.js';
import { keepFirstTier } from './webassembly-tiers.js';

interface UpFlags extends ListenFlags {
  readonly qr?: true;
}

/**
 * Starts relay and node, prints how to use them, and returns when Ctrl-C or SIGTERM has stopped both in order. A second signal stops them at
 * once. If relay and node of the data directory already run, prints how to use those and returns.
 * @throws CliError when something did not start; nothing is left running then
 */
export async function up(invocation: Invocation, flags: UpFlags): Promise<void> {
  keepFirstTier();
  const { terminal, env, global } = invocation;
  const directory = dataDirectory(env);
  const forPeople = global.output !== 'json';
  const progress = createProgress(terminal);
  // A closed terminal sends SIGHUP, too, and then everything is to stop.
  const reloads = !process.stderr.isTTY;
  const signals = watchStopSignals(process, systemClock, reloads ? ['SIGHUP'] : []);
  const cancel = new AbortController();
  void signals.first.then(() => {
    cancel.abort();
  });

  if ((await readInstance(directory, UP_LOCK)) === undefined) {
    progress.note(`Ferry ${packageVersion()} · starting, a few seconds`);
  }

  let ready: ReadyInstance | undefined;
  let lock: InstanceLock | undefined;
  let deployment: LocalDeployment | undefined;
  try {
    lock = await claimDataDirectory(directory, () => describeInstance(ready, env)).catch(async (error: unknown) => {
      const running =
        error instanceof InstanceLockedError
          ? await findRunningInstance(directory, { signal: cancel.signal, progress, forPeople })
          : undefined;
      if (running === undefined) throw error;
      await printReady(invocation, flags, running.report, running);
      return undefined;
    });
    if (lock === undefined) return;
    cancel.signal.throwIfAborted();
    const { host, port, drainTimeoutMs, drainNoticeMs } = await checkedSettings(env, flags, progress.note);
    const drainMs = drainTimeoutMs + drainNoticeMs;
    await checkPort(host, port);
    const started = new LocalDeployment({ directory, env, host, port: String(port), drainMs, progress, forPeople });
    deployment = started;
    if (reloads) process.on('SIGHUP', started.reload.bind(started));
    void signals.second.then(() => {
      started.kill();
      process.exit(exitCodes.interrupted);
    });

    const report = await Promise.race([started.start(cancel.signal), rejectOnAbort(cancel.signal)]);
    ready = { facts: report.facts, localUrl: started.localUrl, host };
    const note = await signInUnlessSeparate(invocation, started);
    progress.end();
    await printReady(invocation, flags, report);
    if (note !== undefined) terminal.note(note);

    await signals.first;
    progress.note('Stopping; running answers may finish. Ctrl-C again stops at once');
  } catch (error) {
    progress.end();
    if (cancel.signal.aborted) throw new CliError('interrupted', exitCodes.interrupted, 'interrupted');
    if (deployment !== undefined && global.output !== 'json') showLog(deployment, terminal.note, error);
    throw error;
  } finally {
    await deployment?.stop();
    await lock?.release();
    signals.dispose();
  }
}

/** Wrong settings are reported before anything is started, and warnings where they are seen: the logs of relay and node are in files. */
async function checkedSettings(
  env: Environment,
  flags: ListenFlags,
  note: (line: string) => void,
): Promise<RelaySettings> {
  const { loadAgentSettings } = await import('../../../agent/load-agent-settings.js');
  const { values, warnings } = await relaySettingsOf(env, flags);
  for (const warning of [...warnings, ...loadAgentSettings(env).warnings]) note(warning);
  return values;
}

async function printReady(
  { terminal, global, env }: Invocation,
  { qr }: UpFlags,
  report: ReadyReport,
  elsewhere?: RunningElsewhere,
): Promise<void> {
  if (global.output === 'json') {
    terminal.print(JSON.stringify(report.facts));
    return;
  }
  const { stdoutColors: colors, columns } = terminal;
  terminal.print(readyScreen(report, { colors, columns, elsewhere, pathLine: pathLine(env) }));
  if (qr !== true) return;
  const drawn = await qrCode(report.facts.console_url);
  if ('code' in drawn) terminal.print(`${drawn.code}\n`);
  else for (const line of drawn.refusal) terminal.note(line);
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
  if (error instanceof CliError && !['start_failed', 'failure', 'node_not_connected'].includes(error.code)) return;
  const lines = log.lastLines(LAST_LINES).filter((line) => line !== '');
  if (lines.length === 0) return;
  note(`The last lines of ${log.file}:`);
  for (const line of lines) note(`  ${line}`);
}
