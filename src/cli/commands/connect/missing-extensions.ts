import { isExtensionName, type ExtensionName } from '../../../kernel/extension.js';
import type { ManagementApi } from '../../core/api/management-api.js';
import type { Terminal } from '../../core/output/terminal.js';
import type { Program } from './programs/program.js';

/** Extensions that the program would use, and that are off. An older relay has none. */
export async function missingExtensions(
  api: Pick<ManagementApi, 'list'>,
  { gains = {} }: Pick<Program, 'gains'>,
): Promise<readonly ExtensionName[]> {
  const used = Object.keys(gains).filter(isExtensionName);
  if (used.length === 0) return [];
  const extensions = await api.list('/api/extensions').catch(() => []);
  return used.filter((name) => extensions.some((known) => known.name === name && !known.enabled));
}

export function showMissing(
  { note }: Pick<Terminal, 'note'>,
  { title, gains = {} }: Pick<Program, 'title' | 'gains'>,
  missing: readonly ExtensionName[],
): void {
  for (const name of missing) {
    note(`${title} could use the extension ${name}, which is off, to ${gains[name] ?? ''}.`);
    note(`  An owner switches it on: ferry extensions on ${name}`);
  }
}
