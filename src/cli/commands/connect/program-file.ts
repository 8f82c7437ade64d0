/** The configuration file of a program: read, shown as a diff before anything is written, and written with a backup. */
import { copyFile, chmod, constants, mkdir, readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { structuredPatch } from 'diff';
import pc from 'picocolors';
import writeFileAtomic from 'write-file-atomic';
import { stripUnprintable } from '../../../kernel/printable.js';

const CONTEXT_LINES = 2;

/** Undefined when there is no such file. */
export async function readIfPresent(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Lines of a unified diff, without its headings; a line `…` stands between two parts of the file. Empty when nothing changes. */
export function changeOf(before: string, after: string): readonly string[] {
  const { hunks } = structuredPatch('', '', before, after, undefined, undefined, { context: CONTEXT_LINES });
  return hunks.flatMap(({ lines }, index) => [
    ...(index === 0 ? [] : [' …']),
    // "\ No newline at end of file"
    ...lines.filter((line) => !line.startsWith('\\')),
  ]);
}

/** Keys of Ferry and of other services, which may stand beside them in the file of a program. */
const KEYS = /\b((?:sk-ferry-(?!YOUR-KEY)|sk-(?!ferry-)(?:ant-|proj-)?|gsk_|hf_|ghp_|xai-|AIza)\w{4})[\w-]{4,}/g;

/** Shortens keys, because a screen may be shared. */
export function renderChange(line: string, colors: boolean): string {
  const { green, red, dim } = pc.createColors(colors);
  const text = `${line.slice(0, 1)} ${stripUnprintable(line.slice(1))}`.replace(KEYS, '$1…').trimEnd();
  if (line.startsWith('+')) return green(text);
  return line.startsWith('-') ? red(text) : dim(text);
}

/** @returns the backup file, or null when there was no file. Both are readable by the owner only, because they contain a key. */
export async function writeWithBackup(file: string, text: string, now: Date): Promise<string | null> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const backup = await backUp(file, now.toISOString().slice(0, 10));
  await writeFileAtomic(file, text, { mode: 0o600 });
  return backup;
}

/** `config.toml.2026-11-22`, or `….2026-11-22.2` when that exists. */
async function backUp(file: string, day: string): Promise<string | null> {
  for (let number = 1; ; number += 1) {
    const backup = `${file}.${day}${number === 1 ? '' : `.${String(number)}`}`;
    try {
      await copyFile(file, backup, constants.COPYFILE_EXCL);
      await chmod(backup, 0o600);
      return backup;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return null;
      if (code !== 'EEXIST') throw error;
    }
  }
}

/** Shortens the home directory to `~`, for people. */
export function withTilde(file: string): string {
  const home = os.homedir();
  return file.startsWith(`${home}${path.sep}`) ? `~${file.slice(home.length)}` : file;
}
