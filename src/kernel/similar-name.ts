import { distance } from 'fastest-levenshtein';

/**
 * The name with the smallest edit distance to the word; undefined when none is close.
 * @param part of the word that may differ: 2 is a half
 */
export function similarName(word: string, names: readonly string[], part = 2): string | undefined {
  const limit = Math.max(1, Math.floor(word.length / part));
  const [best] = names
    .map((name) => ({ name, changes: distance(word, name) }))
    .filter(({ changes, name }) => changes <= limit || (word.length > 1 && name.startsWith(word)))
    .sort((a, b) => a.changes - b.changes);
  return best?.name;
}
