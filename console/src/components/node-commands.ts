/** A command to copy. */
export interface Command {
  readonly command: string;
  /** Where it is the right one; absent: everywhere. */
  readonly where?: string;
}

/**
 * A command of the computer itself has two names, and the relay does not know which of them works there: what the install command brings is
 * `ferry-node` alone.
 * @param words what follows the name: "doctor"
 */
export const nodeCommands = (words: string): readonly Command[] => [
  { where: 'Added with the install command', command: `ferry-node ${words}` },
  { where: 'Has all of Ferry', command: `ferry node ${words}` },
];
