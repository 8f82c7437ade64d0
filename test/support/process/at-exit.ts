/** Work for the end of this process, where nothing can be awaited and Jest allows half a second: other processes do it afterwards. */
import { spawn } from 'node:child_process';
import { repositoryRoot } from './ferry-process.js';

export function leaveBehind(program: string, ...args: readonly string[]): void {
  spawn(program, args, { cwd: repositoryRoot, detached: true, stdio: 'ignore' }).unref();
}

export const removeLater = (folder: string): void => {
  leaveBehind('rm', '-rf', folder);
};
