/** The files that make a node start with its computer. */

export interface ServiceProgram {
  /** Program and arguments, absolute. */
  readonly command: readonly string[];
  /** A service has nothing of the shell that installed it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Where launchd writes what the node says; systemd has its journal. */
  readonly logFile: string;
}

export const SYSTEMD_UNIT = 'ferry-node.service';
export const LAUNCHD_LABEL = 'dev.ferry.node';

/** Longer than a drain takes: running answers may finish. */
const STOP_SECONDS = 60;
const RESTART_SECONDS = 5;

/** A node that the relay refuses (4), or that was called wrongly (2), does not get better by trying again. */
const FINAL_EXIT_CODES = '2 4';

/** For `systemctl --user`: no root is needed. */
export function systemdUnit({ command, environment }: ServiceProgram): string {
  return [
    '[Unit]',
    'Description=Ferry node',
    'StartLimitIntervalSec=0',
    '',
    '[Service]',
    'Type=exec',
    `ExecStart=${command.map(systemdCommandWord).join(' ')}`,
    ...Object.entries(environment).map(([name, value]) => `Environment=${systemdWord(`${name}=${value}`)}`),
    'Restart=always',
    `RestartSec=${String(RESTART_SECONDS)}`,
    `RestartPreventExitStatus=${FINAL_EXIT_CODES}`,
    `TimeoutStopSec=${String(STOP_SECONDS)}`,
    'NoNewPrivileges=true',
    '',
    '[Install]',
    'WantedBy=default.target',
    '',
  ].join('\n');
}

/** Quoted as systemd.syntax(7) has it; `%` begins a specifier. */
const systemdWord = (text: string): string =>
  `"${text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', String.raw`\"`)
    .replaceAll('%', '%%')}"`;

/** In a command line `$` begins a variable, too. */
const systemdCommandWord = (text: string): string => systemdWord(text).replaceAll('$', '$$$$');

export function launchdPlist({ command, environment, logFile }: ServiceProgram): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<plist version="1.0">',
    '<dict>',
    `  <key>Label</key><string>${LAUNCHD_LABEL}</string>`,
    '  <key>ProgramArguments</key>',
    '  <array>',
    ...command.map((word) => `    <string>${xml(word)}</string>`),
    '  </array>',
    '  <key>EnvironmentVariables</key>',
    '  <dict>',
    ...Object.entries(environment).map(([name, value]) => `    <key>${xml(name)}</key><string>${xml(value)}</string>`),
    '  </dict>',
    '  <key>RunAtLoad</key><true/>',
    '  <key>KeepAlive</key><true/>',
    `  <key>ThrottleInterval</key><integer>${String(RESTART_SECONDS)}</integer>`,
    `  <key>ExitTimeOut</key><integer>${String(STOP_SECONDS)}</integer>`,
    `  <key>StandardOutPath</key><string>${xml(logFile)}</string>`,
    `  <key>StandardErrorPath</key><string>${xml(logFile)}</string>`,
    '</dict>',
    '</plist>',
    '',
  ].join('\n');
}

const xml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
