import type { RelaySettings } from '../../../relay/app/settings.js';
import { systemClock } from '../../../kernel/clock.js';
import { dataDirectory } from '../../../kernel/data-directory.js';
import { InstanceLockedError } from '../../../kernel/instance-lock.js';
import { shellWord } from '../../../kernel/shell-words.js';
import { CliError } from '../../core/errors/cli-error.js';
import { CommandEnded } from '../../core/errors/command-ended.js';
import { exitCodes, type ExitCode } from '../../core/errors/exit-codes.js';
import { packageVersion } from '../../core/package-version.js';
import { lastLines } from '../../core/supervision/rotating-log.js';
import { SERVICE_VARIABLE } from '../../core/supervision/service-variable.js';
import { watchStopSignals } from '../../core/supervision/stop-signals.js';
import type { Environment, Invocation } from '../../invocation.js';
import { checkPort, type ListenFlags } from '../../core/args/listen-address.js';
import { relaySettingsOf } from '../../core/args/relay-settings.js';
import { keepListenRecord, readListenRecord, strandedLines, type ListenRecord } from './listen-record.js';
import { LocalDeployment } from './local-deployment.js';
import { createProgress } from './progress.js';
import { pathLine, qrCode } from './ready-lines.js';
import type { ReadyReport } from './ready-report.js';
import { readyScreen, type RunningElsewhere } from './ready-screen.js';
import { findHolder, findRunningInstance } from './running-instance.js';
import { signIn } from './sign-in.js';
import { isSetup } from './supervisor/is-setup.js';
import { SupervisorChannel } from './supervisor/setup-channel.js';
import { superviseUp } from './supervisor/supervise-up.js';

interface UpFlags extends ListenFlags {
  readonly qr?: true;
  readonly detach?: true;
}

/**
 * Starts relay and node, prints how to use them, and returns when both have been stopped ({@link superviseUp}). If relay and node of the data
 * directory already run, prints how to use those and returns.
 * @throws CliError when something did not start; nothing is left running then
 */
export async function up(invocation: Invocation, flags: UpFlags): Promise<void> {
  if (isSetup) return setUp(invocation, flags);
  const code = await superviseUp(process.argv.slice(2));
  if (code !== exitCodes.ok) throw new CommandEnded(code as ExitCode);
}

/** Returns when everything runs. */
async function setUp(invocation: Invocation, flags: UpFlags): Promise<void> {
  const { terminal, env, global } = invocation;
  const directory = dataDirectory(env);
  const forPeople = global.output !== 'json';
  const progress = createProgress(terminal);
  const earlier = await readListenRecord(directory);
  const signals = watchStopSignals(process, systemClock, ['SIGINT', 'SIGTERM', 'SIGHUP']);
  const supervisor = new SupervisorChannel(progress.note);
  const { cancelled } = supervisor;

  if ((await findHolder(directory)) === undefined) {
    progress.note(`Ferry ${packageVersion()} · starting, a few seconds`);
  }

  let deployment: LocalDeployment | undefined;
  try {
    if (flags.detach === true && (await findHolder(directory)) === undefined) {
      const { startDetached } = await import('./detached-start.js');
      const started = await startDetached(invocation, flags, { signal: cancelled, progress });
      progress.end();
      await printReady(invocation, flags, started.report, { ...started, isJustStarted: true });
      for (const line of strandedLines(earlier, started, started.report.others)) terminal.note(line);
      return;
    }
    const isOwn = await supervisor.claim(directory).then(
      () => true,
      async (error: unknown) => {
        const running =
          error instanceof InstanceLockedError
            ? await findRunningInstance(directory, { signal: cancelled, progress, forPeople })
            : undefined;
        if (running === undefined) throw error;
        refuseOtherAddress(running, flags, env);
        await printReady(invocation, flags, running.report, running);
        return false;
      },
    );
    if (!isOwn) return;
    cancelled.throwIfAborted();
    const { host, port, drainTimeoutMs, drainNoticeMs } = await checkedSettings(env, flags, earlier, progress.note);
    const drainMs = drainTimeoutMs + drainNoticeMs;
    await checkPort(host, port);
    const started = new LocalDeployment({
      supervisor,
      directory,
      env,
      host,
      port: String(port),
      drainMs,
      progress,
      forPeople,
    });
    deployment = started;

    const report = await Promise.race([started.start(cancelled), rejectOnAbort(cancelled)]);
    await keepListenRecord(directory, started.listening, port, earlier);
    const { base_url, cluster_id, node_id, model } = report.facts;
    await supervisor.ready({ base_url, cluster_id, node_id, model, local_url: started.localUrl, host });
    const note = await signInUnlessSeparate(invocation, started);
    progress.end();
    await printReady(invocation, flags, report);
    if (note !== undefined) terminal.note(note);
    for (const line of strandedLines(earlier, started.listening, report.others)) terminal.note(line);
  } catch (error) {
    progress.end();
    // Only then is it true that nothing runs.
    await supervisor.stop();
    if (cancelled.aborted) {
      throw new CliError('interrupted', exitCodes.interrupted, 'interrupted: nothing runs, and what was made stays', {
        hint: 'ferry up again; it goes on from there',
      });
    }
    if (deployment !== undefined && global.output !== 'json') showLog(deployment, terminal.note, error);
    throw error;
  } finally {
    supervisor.close();
    signals.dispose();
  }
}

/**
 * Wrong settings are reported before anything is started, and warnings where they are seen: the logs of relay and node are in files. Without
 * an address in flags, environment and file, it is that of the last start.
 */
async function checkedSettings(
  env: Environment,
  flags: ListenFlags,
  earlier: ListenRecord | undefined,
  note: (line: string) => void,
): Promise<RelaySettings> {
  const { loadAgentSettings } = await import('../../../agent/load-agent-settings.js');
  const { values, sources, warnings } = await relaySettingsOf(env, flags);
  for (const warning of [...warnings, ...loadAgentSettings(env).warnings]) note(warning);
  const host = sources.host === 'default' ? (earlier?.host ?? values.host) : values.host;
  const port = sources.port === 'default' ? (earlier?.port ?? values.port) : values.port;
  if (host !== values.host || port !== values.port) note(`Listening on ${hostAndPort(host, port)}, as the last time`);
  return { ...values, host, port };
}

const hostAndPort = (host: string, port: number | string): string =>
  `${host.includes(':') ? `[${host}]` : host}:${String(port)}`;

/**
 * A second start with the address of the first is a question where it is; with another one it wants a change, which needs a restart.
 * @throws CliError
 */
function refuseOtherAddress(
  running: RunningElsewhere & { readonly host: string; readonly port: number },
  { host, port }: ListenFlags,
  env: Environment,
): void {
  const own = (name: string): string => (name === 'localhost' ? '127.0.0.1' : name);
  const isSame =
    (host === undefined || own(host) === own(running.host)) &&
    (port === undefined || port === '0' || Number(port) === running.port);
  // The service manager would start it again and again.
  if (isSame || env[SERVICE_VARIABLE] !== undefined) return;
  const wanted = [...(host === undefined ? [] : ['--host', host]), ...(port === undefined ? [] : ['--port', port])];
  const words = wanted.map(shellWord).join(' ');
  throw new CliError(
    'already_running',
    exitCodes.failure,
    `Ferry runs already, on ${hostAndPort(running.host, running.port)} (process ${String(running.pid)})`,
    {
      hint: running.isService ? `ferry service install up ${words}` : `ferry down, then: ferry up ${words}`,
    },
  );
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
function showLog({ suspectLog: file }: LocalDeployment, note: (line: string) => void, error: unknown): void {
  if (error instanceof CliError && !['start_failed', 'failure', 'node_not_connected'].includes(error.code)) return;
  const lines = lastLines(file, LAST_LINES).filter((line) => line !== '');
  if (lines.length === 0) return;
  note(`The last lines of ${file}:`);
  for (const line of lines) note(`  ${line}`);
}
