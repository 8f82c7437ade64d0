/** Maps an exception of a command to the error shown and its exit code. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { CommanderError } from 'commander';
import { DatabaseInUseError } from '../../../kernel/database-in-use-error.js';
import { AdvisedError } from '../../../kernel/errors/advised-error.js';
import { InstanceLockedError } from '../../../kernel/instance-lock.js';
import { SettingsError } from '../../../kernel/settings/settings-error.js';
import { CliError } from './cli-error.js';
import { exitCodes } from './exit-codes.js';

/** @param help the command that shows the usage, as the hint for usage errors */
export function classifyFailure(thrown: unknown, help = 'ferry --help'): CliError {
  if (thrown instanceof CliError) return thrown;
  if (thrown instanceof CommanderError) return usageError(thrown, help);
  if (thrown instanceof SettingsError) {
    return new CliError('invalid_configuration', exitCodes.usage, thrown.message, {
      hint: 'correct it; ferry config checks all settings',
      cause: thrown,
    });
  }
  if (thrown instanceof InstanceLockedError) {
    return new CliError('already_running', exitCodes.failure, thrown.message, {
      hint: 'stop it, or choose another directory with --data-dir',
      cause: thrown,
    });
  }
  if (thrown instanceof DatabaseInUseError) {
    return new CliError('database_in_use', exitCodes.failure, thrown.message, {
      hint: 'stop that relay, or give this one another database; FERRY_ALLOW_SHARED_DATABASE=on starts it anyway, with its own nodes only',
      cause: thrown,
    });
  }
  if (thrown instanceof AdvisedError) {
    return new CliError('failure', exitCodes.failure, thrown.message, { hint: thrown.advice, cause: thrown });
  }
  if (!(thrown instanceof Error)) return unforeseen(String(thrown), thrown);
  const { code, syscall } = thrown as NodeJS.ErrnoException;
  const unknownHost = hostError(thrown);
  if (unknownHost !== undefined) return unknownHost;
  if (code === 'EADDRINUSE' || (code === 'EACCES' && syscall === 'listen')) return listenError(code, thrown);
  return fileError(thrown) ?? unforeseen(thrown.message, thrown);
}

/** Nothing is known of it but what it says. */
const unforeseen = (message: string, cause: unknown): CliError =>
  new CliError('failure', exitCodes.failure, message, {
    hint: 'ferry doctor checks this computer, ferry logs shows what came before',
    cause,
  });

/** Messages of commander begin with `error: ` and have the suggestion on a second line. */
function usageError(error: CommanderError, help: string): CliError {
  const [message = '', ...rest] = error.message.replace(/^error: /, '').split('\n');
  const refused = valueError(message);
  if (refused !== undefined)
    return new CliError('usage', exitCodes.usage, refused.message, { ...refused, cause: error });
  const suggestion = /^\(Did you mean (.+)\?\)$/.exec(rest.join(' ').trim())?.[1];
  return new CliError('usage', exitCodes.usage, message, {
    hint: suggestion === undefined ? help : `Did you mean ${suggestion}?`,
    cause: error,
  });
}

/** `option '--role <role>' argument 'boss' is invalid. Allowed choices are owner, admin.`, which is too long for a line. */
function valueError(message: string): { readonly message: string; readonly hint: string } | undefined {
  const { name, given, why } =
    (
      /^option '(?:-\w, )?(?<name>--[\w-]+).*' argument '(?<given>.*)' is invalid\. (?<why>.+)$/.exec(message) ??
      /^command-argument value '(?<given>.*)' is invalid for argument '(?<name>.+)'\. (?<why>.+)$/.exec(message)
    )?.groups ?? {};
  if (name === undefined || given === undefined || why === undefined) return undefined;
  return { message: `${name} cannot be "${given}"`, hint: why.replace(/^Allowed choices are (.*)\.$/, 'one of $1') };
}

/** Undefined for what is no failure of a named file. */
function fileError(error: NodeJS.ErrnoException & { readonly dest?: string }): CliError | undefined {
  const { code, path: file, dest } = error;
  const place = dest ?? file;
  if (code === undefined) return undefined;
  if (place === undefined) {
    if (code !== 'ENOSPC' && code !== 'EDQUOT') return undefined;
    return new CliError('disk_full', exitCodes.failure, 'the disk is full', {
      hint: 'free some space, and try again',
      cause: error,
    });
  }
  const as = (name: string, message: string, hint: string): CliError =>
    new CliError(name, exitCodes.failure, message, { hint, cause: error });
  const elsewhere = 'choose another directory with --data-dir';
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return as('disk_full', `the disk of ${place} is full`, `free some space there, or ${elsewhere}`);
    case 'EACCES':
    case 'EPERM':
      return as(
        'file_not_allowed',
        `this user may not use ${place}`,
        `ls -ld shows whose it is (after a start with sudo: root’s); give it back with chown, or ${elsewhere}`,
      );
    case 'ENOENT':
      return existsSync(path.dirname(place))
        ? as('no_file', `there is no file ${place}`, 'correct the path')
        : as(
            'no_directory',
            `there is no directory ${path.dirname(place)}`,
            'make it with mkdir -p, or name another one',
          );
    case 'EISDIR':
      return as(
        'not_a_file',
        `${place} is a directory, and a file is needed`,
        `a name in it: ${path.join(place, 'NAME')}`,
      );
    case 'ENOTDIR':
    case 'EEXIST':
      return as('not_a_directory', `${place} is a file, and a directory is needed`, elsewhere);
    case 'EROFS':
      return as('read_only_disk', `${place} is on a disk that is read only`, elsewhere);
    default:
      return undefined;
  }
}

/** Explains a name without an address, or an address that this computer does not have. */
function hostError(
  error: NodeJS.ErrnoException & { readonly hostname?: string; readonly address?: string },
): CliError | undefined {
  const { code, hostname, address } = error;
  if (code === 'EADDRNOTAVAIL' && error.syscall === 'listen') {
    return new CliError(
      'address_not_here',
      exitCodes.failure,
      `${address ?? 'the address'} is no address of this computer`,
      {
        hint: '--host 0.0.0.0 listens on all that it has',
        cause: error,
      },
    );
  }
  if ((code !== 'ENOTFOUND' && code !== 'EAI_AGAIN') || hostname === undefined) return undefined;
  return new CliError('no_such_host', exitCodes.failure, `there is no host ${hostname}`, {
    hint: 'is it spelled right, and is this computer online?',
    cause: error,
  });
}

function listenError(
  code: 'EADDRINUSE' | 'EACCES',
  error: Error & { readonly port?: number; readonly address?: string },
): CliError {
  const where = error.port === undefined ? 'the port' : `port ${String(error.port)}`;
  return code === 'EADDRINUSE'
    ? new CliError('port_in_use', exitCodes.failure, `${where} is already in use`, {
        hint: '--port N for another one; --port 0 takes a free one',
        cause: error,
      })
    : new CliError('port_not_allowed', exitCodes.failure, `this user may not listen on ${where}`, {
        hint: 'choose one above 1023 with --port N',
        cause: error,
      });
}
