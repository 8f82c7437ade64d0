/** The computers of the first hour: folders of their own on this one, with nothing of its user's configuration. */
import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { TerminalWindow } from './terminal-window.js';

export interface Computer {
  /** A further terminal on it. */
  readonly open: (window: string) => TerminalWindow;
  /** A folder on its PATH. */
  readonly programs: string;
}

interface ComputerOptions {
  /** Of the tmux server. */
  readonly server: string;
  readonly name: string;
  /** Where homes are made. */
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  /** The checkout whose `ferry` is on the PATH; absent: the computer has none. */
  readonly ferry?: string;
}

export function createComputer({ server, name, root, env, ferry }: ComputerOptions): Computer {
  const home = path.join(root, name);
  const programs = path.join(home, 'bin');
  mkdirSync(programs, { recursive: true });
  if (ferry !== undefined) symlinkSync(path.join(ferry, 'bin', 'ferry.js'), path.join(programs, 'ferry'));
  const inherited = process.env['PATH'] ?? '';
  return {
    programs,
    open: (window) =>
      TerminalWindow.open({
        server,
        name: `${name}-${window}`,
        directory: home,
        env: { HOME: home, PATH: `${programs}:${path.join(home, '.local', 'bin')}:${inherited}`, ...env },
      }),
  };
}
