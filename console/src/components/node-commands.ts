/** A command to copy. */
export interface Command {
  readonly command: string;
  /** Where it is the right one, as one of several; absent: everywhere. */
  readonly where?: string;
  /** What it is typed into; absent: a terminal. */
  readonly shell?: string;
}

const shellOf = (platform: string): Pick<Command, 'shell'> =>
  platform.startsWith('win32') ? { shell: 'PowerShell' } : {};

/**
 * A command of the computer itself has two names, and the relay does not know which of them works there: what the install command brings is
 * `ferry-node` alone. It is the first, since most computers are added with it.
 * @param words what follows the name: "doctor"
 */
export const nodeCommands = (words: string, platform = ''): readonly Command[] => [
  { where: 'With the install command', command: `ferry-node ${words}`, ...shellOf(platform) },
  { where: 'All of Ferry', command: `ferry node ${words}`, ...shellOf(platform) },
];
