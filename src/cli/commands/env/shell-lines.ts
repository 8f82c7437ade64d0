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
      return `export ${name}='${value.replaceAll("'", String.raw`'\''`)}'`;
    case 'fish':
      return `set -gx ${name} '${value.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;
    case 'powershell':
      return `$env:${name} = '${value.replaceAll("'", "''")}'`;
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
