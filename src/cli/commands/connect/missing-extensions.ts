import type { ExtensionName } from '../../../kernel/extension.js';
import type { ManagementApi } from '../../core/api/management-api.js';
import type { Terminal } from '../../core/output/terminal.js';
import type { Program } from './programs/program.js';

/** Extensions that the program would use, and that are off. An older relay has none. */
export async function missingExtensions(
  api: Pick<ManagementApi, 'list'>,
  { gains = [] }: Pick<Program, 'gains'>,
): Promise<readonly ExtensionName[]> {
  if (gains.length === 0) return [];
  const extensions = await api.list('/api/extensions').catch(() => []);
  return gains.filter((name) => extensions.some((known) => known.name === name && !known.enabled));
}

export function showMissing({ note }: Terminal, { title }: Program, missing: readonly ExtensionName[]): void {
  if (missing.length === 0) return;
  const names = missing.join(' ');
  note(`${title} would also use ${missing.join(' and ')}, which an owner switches on: ferry extensions on ${names}`);
}
