import { shellString } from '../../../kernel/shell-words.js';
import type { ToolSetup } from './tool-setup.js';

export type Shell = 'sh' | 'fish' | 'powershell';

/** Shell assignments; values are quoted. */
export function shellLines({ variables, unset }: Pick<ToolSetup, 'variables' | 'unset'>, shell: Shell): string[] {
  return [
    ...unset.map((name) => unsetLine(name, shell)),
    ...Object.entries(variables).map(([name, value]) => setLine(name, value, shell)),
  ];
}

function setLine(name: string, value: string, shell: Shell): string {
  switch (shell) {
    case 'sh':
      return `export ${name}=${shellString(value, shell)}`;
    case 'fish':
      return `set -gx ${name} ${shellString(value, shell)}`;
    case 'powershell':
      return `$env:${name} = ${shellString(value, shell)}`;
    default:
      return shell satisfies never;
  }
}

function unsetLine(name: string, shell: Shell): string {
  switch (shell) {
    case 'sh':
      return `unset ${name}`;
    case 'fish':
      return `set -e ${name}`;
    case 'powershell':
      return `Remove-Item Env:${name} -ErrorAction SilentlyContinue`;
    default:
      return shell satisfies never;
  }
}
