/** The files that make a program start with its computer. */
import type { ServiceDescription } from './service-programs.js';

export interface ServiceProgram {
  readonly service: Pick<ServiceDescription, 'name' | 'what' | 'restart' | 'hasSecretOutput'>;
  /** Program and arguments, absolute. */
  readonly command: readonly string[];
  /** A service inherits nothing from the shell that installed it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Where launchd writes what the program says; systemd has its journal. */
  readonly logFile: string;
  /** The user that a service of the system runs as. Absent: a service of the user who installs it. */
  readonly user?: string | undefined;
  /** For a service of the system with systemd: the directory below /var/lib that is made for it; undefined where it has one already. */
  readonly stateDirectory?: string | undefined;
  /** For a service of the system with systemd: the file that has the environment, because every user can read a unit. */
  readonly environmentFile?: string | undefined;
}

/** Longer than a drain, so that running requests can finish. */
const STOP_SECONDS = 60;
const RESTART_SECONDS = 5;
const OPEN_FILES = 65_536;

/** A refusal by the relay (4) or a wrong call (2) does not get better by trying again. */
const FINAL_EXIT_CODES = '2 4';

export function systemdUnit(program: ServiceProgram): string {
  const { service, command, environment, user, stateDirectory, environmentFile } = program;
  const isOfSystem = user !== undefined;
  return [
    '[Unit]',
    `Description=${service.what}: ferry ${service.name}`,
    ...(isOfSystem ? ['Wants=network-online.target', 'After=network-online.target postgresql.service'] : []),
    'StartLimitIntervalSec=0',
    '',
    '[Service]',
    'Type=exec',
    ...(isOfSystem ? [`User=${user}`] : []),
    ...(stateDirectory === undefined ? [] : [`StateDirectory=${stateDirectory}`, 'StateDirectoryMode=0700']),
    `ExecStart=${command.map(systemdCommandWord).join(' ')}`,
    'ExecReload=/bin/kill -HUP $MAINPID',
    ...(environmentFile === undefined
      ? Object.entries(environment).map(([name, value]) => `Environment=${systemdWord(`${name}=${value}`)}`)
      : [`EnvironmentFile=${systemdPath(environmentFile)}`]),
    ...(service.hasSecretOutput ? ['StandardOutput=null'] : []),
    `Restart=${service.restart}`,
    `RestartSec=${String(RESTART_SECONDS)}`,
    `RestartPreventExitStatus=${FINAL_EXIT_CODES}`,
    // The program stops its own processes in order.
    'KillMode=mixed',
    `TimeoutStopSec=${String(STOP_SECONDS)}`,
    ...(isOfSystem ? [`LimitNOFILE=${String(OPEN_FILES)}`] : []),
    'NoNewPrivileges=true',
    '',
    '[Install]',
    `WantedBy=${isOfSystem ? 'multi-user.target' : 'default.target'}`,
    '',
  ].join('\n');
}

/** Quotes as systemd.syntax(7) specifies; `%` starts a specifier. */
const systemdWord = (text: string): string =>
  `"${escaped(text)
    .replaceAll('%', '%%')
    .replaceAll(CONTROL, (character) => `\\x${hex(character)}`)}"`;

/** A line break would begin another line of the unit, such as a command. */
const CONTROL = /[\u0000-\u001F\u007F]/g;
const hex = (character: string): string => character.charCodeAt(0).toString(16).padStart(2, '0');

/** In a command line `$` starts a variable as well. */
const systemdCommandWord = (text: string): string => systemdWord(text).replaceAll('$', '$$$$');

/** Not quoted, and taken to the end of the line. */
const systemdPath = (file: string): string => file.replaceAll('%', '%%');

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('"', String.raw`\"`);

/** Quoted as EnvironmentFile= reads it: no specifiers there, but `$` and backquotes have to be escaped. */
export const environmentFileText = (environment: Readonly<Record<string, string>>): string =>
  Object.entries(environment)
    .map(([name, value]) => `${name}="${escaped(value).replaceAll(/[$`]/g, String.raw`\$&`)}"\n`)
    .join('');

export const launchdLabel = (name: ServiceDescription['name']): string => `dev.ferry.${name}`;

export function launchdPlist({ service, command, environment, logFile, user }: ServiceProgram): string {
  const keepAlive = service.restart === 'always' ? '<true/>' : '<dict><key>SuccessfulExit</key><false/></dict>';
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<plist version="1.0">',
    '<dict>',
    `  <key>Label</key><string>${launchdLabel(service.name)}</string>`,
    ...(user === undefined ? [] : [`  <key>UserName</key><string>${xml(user)}</string>`]),
    '  <key>ProgramArguments</key>',
    '  <array>',
    ...command.map((word) => `    <string>${xml(word)}</string>`),
    '  </array>',
    '  <key>EnvironmentVariables</key>',
    '  <dict>',
    ...Object.entries(environment).map(([name, value]) => `    <key>${xml(name)}</key><string>${xml(value)}</string>`),
    '  </dict>',
    '  <key>RunAtLoad</key><true/>',
    `  <key>KeepAlive</key>${keepAlive}`,
    `  <key>ThrottleInterval</key><integer>${String(RESTART_SECONDS)}</integer>`,
    `  <key>ExitTimeOut</key><integer>${String(STOP_SECONDS)}</integer>`,
    `  <key>StandardOutPath</key><string>${service.hasSecretOutput ? '/dev/null' : xml(logFile)}</string>`,
    `  <key>StandardErrorPath</key><string>${xml(logFile)}</string>`,
    '</dict>',
    '</plist>',
    '',
  ].join('\n');
}

const xml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    // Read as it is, it would become a line feed.
    .replaceAll('\r', '&#13;');
