import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { homedir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { CliError } from '../../../core/errors/cli-error.js';
import { exitCodes } from '../../../core/errors/exit-codes.js';
import type { Environment } from '../../../invocation.js';
import { LAUNCHD_LABEL, launchdPlist, SYSTEMD_UNIT, systemdUnit, type ServiceProgram } from './service-files.js';

/** How one operating system keeps a program running. Commands are lists of words; no shell is used. */
export interface ServiceManager {
  readonly name: 'systemd' | 'launchd';
  readonly file: string;
  readonly contents: (program: ServiceProgram) => string;
  readonly install: readonly (readonly string[])[];
  readonly uninstall: readonly (readonly string[])[];
  /** Runs after the file was removed. */
  readonly forget: readonly (readonly string[])[];
  /** Exits with 0 when the service runs. */
  readonly probe: readonly string[];
  readonly logs: (logFile: string, lines: number, follow: boolean) => readonly string[];
  readonly afterwards: string;
}

/** @throws CliError with advice on systems with neither systemd nor launchd */
export function serviceManagerOf(platform: NodeJS.Platform, env: Environment, uid: number): ServiceManager {
  switch (platform) {
    case 'linux':
      return systemd(env);
    case 'darwin':
      return launchd(uid);
    default:
      throw new CliError('no_service_manager', exitCodes.failure, `ferry installs no services on ${platform}`, {
        hint:
          platform === 'win32'
            ? 'in the Task Scheduler make a task "At log on" that runs: ferry node run'
            : 'let the service manager of this system run: ferry node run',
      });
  }
}

function systemd(env: Environment): ServiceManager {
  const configured = env['XDG_CONFIG_HOME'];
  const home = configured === undefined || configured === '' ? path.join(homedir(), '.config') : configured;
  const control = ['systemctl', '--user'];
  return {
    name: 'systemd',
    file: path.join(home, 'systemd', 'user', SYSTEMD_UNIT),
    contents: systemdUnit,
    install: [
      [...control, 'daemon-reload'],
      [...control, 'enable', SYSTEMD_UNIT],
      [...control, 'restart', SYSTEMD_UNIT],
    ],
    uninstall: [[...control, 'disable', '--now', SYSTEMD_UNIT]],
    // systemd keeps the unit in memory until its next reload.
    forget: [
      [...control, 'daemon-reload'],
      [...control, 'reset-failed', SYSTEMD_UNIT],
    ],
    probe: [...control, 'is-active', '--quiet', SYSTEMD_UNIT],
    logs: (_file, lines, follow) => [
      ...['journalctl', '--user', '--unit', SYSTEMD_UNIT, '--lines', String(lines), '--no-pager'],
      ...(follow ? ['--follow'] : []),
    ],
    afterwards: 'To run it while nobody is logged in: loginctl enable-linger',
  };
}

function launchd(uid: number): ServiceManager {
  const domain = `gui/${String(uid)}`;
  const file = path.join(homedir(), 'Library', 'LaunchAgents', `${LAUNCHD_LABEL}.plist`);
  return {
    name: 'launchd',
    file,
    contents: launchdPlist,
    install: [['launchctl', 'bootstrap', domain, file]],
    uninstall: [['launchctl', 'bootout', `${domain}/${LAUNCHD_LABEL}`]],
    forget: [],
    probe: ['launchctl', 'print', `${domain}/${LAUNCHD_LABEL}`],
    logs: (logFile, lines, follow) => ['tail', '-n', String(lines), ...(follow ? ['-F'] : []), logFile],
    afterwards: 'It starts when you log in.',
  };
}

/** @throws CliError with the program's output */
export async function run([program = '', ...args]: readonly string[]): Promise<void> {
  try {
    await promisify(execFile)(program, args);
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    const said = stderr === undefined || stderr.trim() === '' ? message : stderr.trim();
    throw new CliError('service_manager_failed', exitCodes.failure, `${program} failed: ${said}`, {
      hint: 'is there a session of this user? ssh and su need: loginctl enable-linger USER',
      cause: error,
    });
  }
}

export const succeeds = (command: readonly string[]): Promise<boolean> =>
  run(command).then(
    () => true,
    () => false,
  );

/** Inherits stdout and stderr. Resolves to the exit code. */
export async function passThrough([program = '', ...args]: readonly string[]): Promise<number> {
  const child = spawn(program, args, { stdio: 'inherit' });
  const [code] = (await once(child, 'close')) as [number | null];
  return code ?? exitCodes.interrupted;
}
