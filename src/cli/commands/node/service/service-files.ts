/** The files that start a node with its computer. */

export interface ServiceProgram {
  /** Program and arguments, absolute. */
  readonly command: readonly string[];
  /** A service inherits nothing from the shell that installed it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Where launchd writes the output of the node; systemd has its journal. */
  readonly logFile: string;
}

export const SYSTEMD_UNIT = 'ferry-node.service';
export const LAUNCHD_LABEL = 'dev.ferry.node';

/** Longer than a drain, so that running requests can finish. */
const STOP_SECONDS = 60;
const RESTART_SECONDS = 5;

/** Not restarted: a node that the relay refuses (4) or that was started incorrectly (2) would fail again. */
const FINAL_EXIT_CODES = '2 4';

/** For `systemctl --user`, which needs no root. */
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

/** Quotes as systemd.syntax(7) specifies; `%` starts a specifier. */
const systemdWord = (text: string): string =>
  `"${text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', String.raw`\"`)
    .replaceAll('%', '%%')}"`;

/** In a command line `$` starts a variable as well. */
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
