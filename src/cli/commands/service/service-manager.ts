import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { shellWord } from '../../../kernel/shell-words.js';
import { CliError } from '../../core/errors/cli-error.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import type { Environment } from '../../invocation.js';
import { environmentFileText, launchdLabel, launchdPlist, systemdUnit, type ServiceProgram } from './service-files.js';
import type { ServiceName } from './service-programs.js';

/** `user`: while they are logged in, without root. `system`: from the start of the computer. */
export type ServiceScope = 'user' | 'system';

interface ServiceFile {
  readonly path: string;
  readonly mode: number;
  readonly contents: (program: ServiceProgram) => string;
}

/** How one system keeps one program running. Its commands are lists of words; nothing goes through a shell. */
export interface ServiceManager {
  readonly name: 'systemd' | 'launchd';
  readonly scope: ServiceScope;
  /** The first one is the definition of the service. */
  readonly files: readonly [ServiceFile, ...ServiceFile[]];
  readonly install: readonly (readonly string[])[];
  readonly uninstall: readonly (readonly string[])[];
  /** Once the files are gone. */
  readonly forget: readonly (readonly string[])[];
  /** Exits with 0 when the service runs. */
  readonly probe: readonly string[];
  readonly logs: (logFile: string, lines: number, follow: boolean) => readonly string[];
  readonly afterwards: string;
}

export interface Place {
  readonly platform: NodeJS.Platform;
  readonly env: Environment;
  readonly uid: number;
}

/** @throws CliError with advice on systems with neither systemd nor launchd */
export function serviceManagerOf(service: ServiceName, scope: ServiceScope, place: Place): ServiceManager {
  switch (place.platform) {
    case 'linux':
      return systemd(service, scope, place.env);
    case 'darwin':
      return launchd(service, scope, place.uid);
    default: {
      const command = service === 'node' ? 'ferry node run' : `ferry ${service}`;
      throw new CliError('no_service_manager', exitCodes.failure, `ferry installs no services on ${place.platform}`, {
        hint:
          place.platform === 'win32'
            ? `in the Task Scheduler make a task "At log on" that runs: ${command}`
            : `let the service manager of this system run: ${command}`,
      });
    }
  }
}

function systemd(service: ServiceName, scope: ServiceScope, env: Environment): ServiceManager {
  const configured = env['XDG_CONFIG_HOME'];
  const home = configured === undefined || configured === '' ? path.join(homedir(), '.config') : configured;
  const ofUser = scope === 'user' ? ['--user'] : [];
  const control = ['systemctl', ...ofUser];
  const unit = `ferry-${service}.service`;
  const folder = scope === 'user' ? path.join(home, 'systemd', 'user') : '/etc/systemd/system';
  // The environment may have passwords. Of a service of the user nobody else reads it.
  const definition = { path: path.join(folder, unit), mode: scope === 'user' ? 0o600 : 0o644, contents: systemdUnit };
  const secrets: ServiceFile[] =
    scope === 'user'
      ? []
      : [
          {
            path: systemEnvironmentFile(service),
            mode: 0o600,
            contents: ({ environment }) => environmentFileText(environment),
          },
        ];
  return {
    name: 'systemd',
    scope,
    files: [definition, ...secrets],
    install: [
      [...control, 'daemon-reload'],
      [...control, 'enable', unit],
      [...control, 'restart', unit],
    ],
    uninstall: [[...control, 'disable', '--now', unit]],
    // systemd keeps the unit in memory until its next reload.
    forget: [
      [...control, 'daemon-reload'],
      [...control, 'reset-failed', unit],
    ],
    probe: [...control, 'is-active', '--quiet', unit],
    logs: (_file, lines, follow) => [
      ...['journalctl', ...ofUser, '--unit', unit, '--lines', String(lines), '--no-pager'],
      ...(follow ? ['--follow'] : []),
    ],
    afterwards:
      scope === 'user'
        ? 'It runs while you are logged in. To run it always: loginctl enable-linger'
        : 'It starts with this computer.',
  };
}

export const systemEnvironmentFile = (service: ServiceName): string => `/etc/ferry/${service}.env`;

function launchd(service: ServiceName, scope: ServiceScope, uid: number): ServiceManager {
  const label = launchdLabel(service);
  const domain = scope === 'user' ? `gui/${String(uid)}` : 'system';
  const folder =
    scope === 'user' ? path.join(homedir(), 'Library', 'LaunchAgents') : path.join('/Library', 'LaunchDaemons');
  const file = path.join(folder, `${label}.plist`);
  return {
    name: 'launchd',
    scope,
    // launchd loads only what nobody else can write; the environment may have passwords.
    files: [{ path: file, mode: 0o600, contents: launchdPlist }],
    install: [['launchctl', 'bootstrap', domain, file]],
    uninstall: [['launchctl', 'bootout', `${domain}/${label}`]],
    forget: [],
    probe: ['launchctl', 'print', `${domain}/${label}`],
    logs: (logFile, lines, follow) => ['tail', '-n', String(lines), ...(follow ? ['-F'] : []), logFile],
    afterwards: scope === 'user' ? 'It starts when you log in.' : 'It starts with this computer.',
  };
}

/** systemd's own test of whether it is what started this computer. */
const hasNoSystemd = (program: string): boolean => program === 'systemctl' && !existsSync('/run/systemd/system');

/** @throws CliError with the program's output */
export async function run([program = '', ...args]: readonly string[]): Promise<void> {
  try {
    await promisify(execFile)(program, args);
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    const reported = (stderr === undefined || stderr.trim() === '' ? message : stderr.trim()).replaceAll(
      /\s*\n\s*/g,
      '; ',
    );
    throw new CliError('service_manager_failed', exitCodes.failure, `${program} failed: ${reported}`, {
      hint: hasNoSystemd(program)
        ? `systemd does not run here: in WSL set systemd=true below [boot] in /etc/wsl.conf, elsewhere start ferry ${args.at(-1) === 'ferry-node.service' ? 'node run' : 'up'} by other means`
        : args.includes('--user')
          ? 'is there a session of this user? ssh and su need: loginctl enable-linger USER'
          : `the same in this terminal says more: ${[program, ...args].map(shellWord).join(' ')}`,
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
  const [code] = (await once(child, 'close').catch((error: unknown) => {
    throw new CliError('no_log_program', exitCodes.failure, `${program} cannot be started here`, {
      hint: 'ferry logs shows the logs of relay and node on this computer',
      cause: error,
    });
  })) as [number | null];
  return code ?? exitCodes.interrupted;
}
