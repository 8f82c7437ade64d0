import path from 'node:path';
import type { Terminal } from '../../core/output/terminal.js';
import type { ChangedFile, Connection } from './connections/connection-store.js';
import { combinedChange } from './connections/restore-text.js';
import { readIfPresent, withTilde, writeWithBackup } from './program-file.js';
import type { Program, ProgramAccess } from './programs/program.js';

interface Written {
  readonly backup: string | null;
  /** Every file that was changed for the program, by this command and earlier ones. */
  readonly files: readonly ChangedFile[];
}

/** The file is read once more: the person may have taken their time over the question. */
export async function writeProgramFile(
  { file }: Program,
  access: ProgramAccess,
  earlier: Connection | undefined,
  { note }: Terminal,
): Promise<Written> {
  const known = earlier?.files ?? [];
  if (file === null) return { backup: null, files: known };
  const before = await readIfPresent(file.path);
  const after = file.edit(before ?? '', access);
  const entry = known.find((changed) => changed.path === file.path);
  if (after === before) {
    // Written by hand, or before connections were recorded: there is nothing that an undo could restore.
    const own = { path: file.path, as_default: access.asDefault, before, after };
    return { backup: null, files: entry === undefined ? [...known, own] : known };
  }
  const backup = await writeWithBackup(file.path, after, new Date());
  note(`✓ ${withTilde(file.path)}${backup === null ? '' : `   backup: ${path.basename(backup)}`}`);
  const own = { path: file.path, as_default: access.asDefault, ...combinedChange(entry, before ?? null, after) };
  return { backup, files: [...known.filter((changed) => changed !== entry), own] };
}
