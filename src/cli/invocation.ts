/** Every command gets this: its output, and the options that all commands have. */
import path from 'node:path';
import type { Command } from 'commander';
import type { Terminal } from './core/output/terminal.js';
import { existsSync } from 'node:fs';
import { CliError } from './core/errors/cli-error.js';
import { exitCodes } from './core/errors/exit-codes.js';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface GlobalOptions {
  readonly baseUrl: string | undefined;
  readonly token: string | undefined;
  readonly profile: string | undefined;
  /** Set by the flag; the environment has it then, too. */
  readonly dataDir: string | undefined;
  readonly output: OutputForm;
  /** Tables with every column, ids included, and nothing shortened. */
  readonly wide: boolean;
}

type OutputForm = 'table' | 'json' | 'yaml';

export interface Invocation {
  readonly terminal: Terminal;
  /** The process environment, with `--data-dir` and `--config` in place of their variables where they were given. */
  readonly env: Environment;
  readonly global: GlobalOptions;
}

export interface Cli {
  readonly terminal: Terminal;
  readonly env: Environment;
}

interface ParsedGlobals {
  baseUrl?: string;
  token?: string;
  profile?: string;
  dataDir?: string;
  config?: string;
  json?: true;
  output?: OutputForm;
  wide?: true;
}

/** A command's work: its arguments, as commander parses them, then its options. */
type Work = (invocation: Invocation, ...given: never[]) => Promise<void>;

/** A commander action that imports its work when it runs, because `ferry --help` must be instant. */
export const lazyAction =
  (cli: Cli, load: () => Promise<Work>) =>
  async (...given: unknown[]): Promise<void> => {
    const command = given.pop() as Command;
    const work = await load();
    await work(invocationOf(cli, command), ...(given as never[]));
  };

/** @param command the one that commander hands to its action; global options may stand before or after its name */
export function invocationOf(cli: Cli, command: Command): Invocation {
  const { baseUrl, token, profile, dataDir, config, json, output, wide } = command.optsWithGlobals<ParsedGlobals>();
  for (const file of [dataDir, config, cli.env['FERRY_DATA_DIR']]) refuseImpossiblePath(file);
  return {
    terminal: cli.terminal,
    env: {
      ...cli.env,
      ...(dataDir === undefined ? {} : { FERRY_DATA_DIR: dataDir }),
      // Processes that are started with it may run in another directory.
      ...(config === undefined ? {} : { FERRY_CONFIG_FILE: path.resolve(config) }),
    },
    global: {
      baseUrl,
      token,
      profile,
      dataDir,
      output: json === true ? 'json' : (output ?? 'table'),
      wide: wide === true,
    },
  };
}

/** A file or directory that this computer cannot have. @throws CliError (usage) */
function refuseImpossiblePath(file: string | undefined): void {
  if (file === undefined || process.platform === 'win32') return;
  const [, drive = '', rest = ''] = /^([a-z]):[\\/](.*)$/is.exec(file) ?? [];
  // It would be a folder of that name in the working directory.
  if (drive !== '') {
    throw new CliError('usage', exitCodes.usage, `${file} is a path of Windows`, {
      hint: `in WSL it is /mnt/${drive.toLowerCase()}/${rest.replaceAll('\\', '/')}`,
    });
  }
  // Linux answers there that the parent is missing, so Node's recursive mkdir would try for ever.
  if (path.resolve(file).startsWith('/proc/') && !existsSync(file)) {
    throw new CliError('usage', exitCodes.usage, `nothing can be made in /proc: ${file}`, {
      hint: 'choose a directory of a disk',
    });
  }
}
