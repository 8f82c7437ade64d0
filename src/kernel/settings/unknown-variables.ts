/** Variables that look like settings but are read by no part of Ferry: most are misspelt. */
import { similarName } from '../similar-name.js';
import type { SettingsTable } from './setting.js';

const PREFIX = 'FERRY_';

/** Read by the command line, its supervisors, the installers, or the tools of the repository. */
const otherVariables: ReadonlySet<string> = new Set([
  ...[
    'FERRY_DATA_DIR',
    'FERRY_CONFIG_DIR',
    'FERRY_CONFIG_FILE',
    'FERRY_TOKEN',
    'FERRY_PROFILE',
    'FERRY_API_KEY',
    'FERRY_SERVICE',
  ],
  ...['FERRY_BASE_URL', 'FERRY_CA_FILE', 'FERRY_CONSOLE_RELAY'],
]);

/** How names of the node begin. Relay and node do not know each other's table, but `ferry up` gives both the same environment. */
const nodePrefixes = ['FERRY_NODE_', 'FERRY_DISC', 'FERRY_REMOTE_', 'FERRY_CA_', 'FERRY_LLAMACPP_'] as const;

export const isOfNode = (variable: string): boolean => nodePrefixes.some((prefix) => variable.startsWith(prefix));

export interface UnknownVariable {
  readonly variable: string;
  /** The setting that was probably meant. */
  readonly suggestion: string | undefined;
}

/** @param tables with the known names */
export function unknownVariables(
  env: Readonly<Record<string, string | undefined>>,
  tables: readonly SettingsTable[],
): readonly UnknownVariable[] {
  const names = tables.flatMap((table) => Object.values(table).map((setting) => setting.env));
  const known = new Set([...names, ...otherVariables]);
  return Object.keys(env)
    .filter((variable) => variable.startsWith(PREFIX) && !variable.startsWith('FERRY_TEST_') && !known.has(variable))
    .sort()
    .map((variable) => ({ variable, suggestion: similarVariable(variable, names) }));
}

/** Without what all names have in common, which would make any two of them alike. */
function similarVariable(variable: string, names: readonly string[]): string | undefined {
  const bare = new Map(
    names.filter((name) => name.startsWith(PREFIX)).map((name) => [name.slice(PREFIX.length), name]),
  );
  const found = similarName(variable.slice(PREFIX.length), [...bare.keys()], 3);
  return found === undefined ? undefined : bare.get(found);
}

/** The same text is logged and shown in terminals. */
export const unknownVariableText = ({ variable, suggestion }: UnknownVariable): string =>
  `${variable} is not a setting${suggestion === undefined ? '' : `. Did you mean ${suggestion}?`}`;
