import { existsSync } from 'node:fs';
import path from 'node:path';
import { CliError } from '../errors/cli-error.js';
import { exitCodes } from '../errors/exit-codes.js';

/** A file or directory that this computer cannot have. @throws CliError (usage) */
export function refuseImpossiblePath(file: string | undefined): void {
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
