import { distance } from 'fastest-levenshtein';

/**
 * The names with a small edit distance to the word, the smallest first.
 * @param part of the word that may differ: 2 is a half
 */
export function similarNames(word: string, names: readonly string[], part = 2): readonly string[] {
  const limit = Math.max(1, Math.floor(word.length / part));
  return names
    .map((name) => ({ name, changes: distance(word, name) }))
    .filter(({ changes, name }) => changes <= limit || (word.length > 1 && name.startsWith(word)))
    .sort((a, b) => a.changes - b.changes)
    .map(({ name }) => name);
}

/** The name with the smallest edit distance to the word; undefined when none is close. */
export const similarName = (word: string, names: readonly string[], part = 2): string | undefined =>
  similarNames(word, names, part)[0];
