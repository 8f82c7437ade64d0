import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Installs a Debian package when its program is missing. @throws when that fails */
export function needDebianPackage(program: string, packageName: string): void {
  if (existsSync(program)) return;
  process.stderr.write(`installing ${packageName} from Debian packages\n`);
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'ignore' });
  const installed = spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', packageName], {
    stdio: 'ignore',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (installed.status !== 0 || !existsSync(program)) throw new Error(`${packageName} could not be installed`);
}

/** First line of a program's version output, on stdout or stderr. */
export function versionLine(program: string, flag: string): string {
  try {
    const { stdout, stderr } = spawnSync(program, [flag], { encoding: 'utf8' });
    return (stdout + stderr).split('\n')[0]?.trim() ?? '';
  } catch {
    return 'unknown';
  }
}

export const run = (program: string, args: readonly string[]): void => {
  execFileSync(program, args, { stdio: 'ignore' });
};
