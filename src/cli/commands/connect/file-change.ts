/** The change of a program's file, as it is shown before anything is written. */
import { structuredPatch } from 'diff';
import pc from 'picocolors';
import { stripUnprintable } from '../../../kernel/printable.js';

const CONTEXT_LINES = 2;

/** Lines of a unified diff, without its headings; a line `…` stands between two parts of the file. Empty when nothing changes. */
export function changeOf(before: string, after: string): readonly string[] {
  const { hunks } = structuredPatch('', '', before, after, undefined, undefined, { context: CONTEXT_LINES });
  return hunks.flatMap(({ lines }, index) => [
    ...(index === 0 ? [] : [' …']),
    // "\ No newline at end of file"
    ...lines.filter((line) => !line.startsWith('\\')),
  ]);
}

/** Shortens keys, because a screen may be shared. */
export function renderChange(line: string, colors: boolean): string {
  const { green, red, dim } = pc.createColors(colors);
  const text = `${line.slice(0, 1)} ${stripUnprintable(line.slice(1))}`
    .replace(/(sk-ferry-(?!YOUR-KEY)\w{4})[\w-]+/g, '$1…')
    .trimEnd();
  if (line.startsWith('+')) return green(text);
  return line.startsWith('-') ? red(text) : dim(text);
}
