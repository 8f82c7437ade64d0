/** Runs `ferry` under `script` of util-linux, which allocates a terminal, because Node alone cannot. */
import path from 'node:path';
import { FerryProcess, repositoryRoot } from './ferry-process.js';

const entry = path.join(repositoryRoot, 'bin/ferry.js');

export const quote = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;

/**
 * With somebody who types. Without `exec`, a shell such as dash stays in the foreground, and Ctrl-C ends it with 130, whatever the command
 * answers.
 */
export const atTerminal = (words: readonly string[], env: Readonly<Record<string, string>>): FerryProcess =>
  FerryProcess.startProgram(
    'script',
    [
      '--quiet',
      '--return',
      '--command',
      `stty cols 160; exec ${[process.execPath, entry, ...words].map(quote).join(' ')}`,
      '/dev/null',
    ],
    repositoryRoot,
    { ...env, TERM: 'xterm', NO_COLOR: undefined },
    'pipe',
  );
