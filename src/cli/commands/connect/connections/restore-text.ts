import { applyPatch, structuredPatch } from 'diff';
import { restoreJson } from '../edits/restore-json.js';
import type { ChangedFile } from './connection-store.js';

type Change = Pick<ChangedFile, 'path' | 'before' | 'after'>;

/** Lines around a change that must be as they were: first as `patch` does it, then none, because programs write their files anew. */
const CONTEXTS = [4, 0] as const;

/**
 * A file's text without the change of `ferry connect`, with what was written to it since; null if the file did not exist before and holds nothing
 * else now. Undefined when the changed lines are no longer there as they were written.
 * @throws CliError when the file cannot be read
 */
export function restoredText(current: string, { path, before, after }: Change): string | null | undefined {
  if (current === after) return before;
  if (/\.jsonc?$/.test(path)) {
    const text = restoreJson(current, before ?? '', after, path);
    return before === null && /^\s*\{\s*\}\s*$/.test(text) ? null : text;
  }
  for (const context of CONTEXTS) {
    const text = applyPatch(current, structuredPatch('', '', after, before ?? '', undefined, undefined, { context }));
    if (text !== false) return before === null && text.trim() === '' ? null : text;
  }
  return undefined;
}

/** The change for a file that is changed once more: from the text without the earlier change, so that one undo takes both back. */
export function combinedChange(
  earlier: Change | undefined,
  current: string | null,
  after: string,
): Pick<Change, 'before' | 'after'> {
  if (earlier === undefined || current === null) return { before: current, after };
  const unchanged = restoredText(current, earlier);
  return { before: unchanged === undefined ? current : unchanged, after };
}
