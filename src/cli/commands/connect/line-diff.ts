/** Line difference of two small texts. */

export interface DiffLine {
  readonly mark: '+' | '-' | ' ';
  readonly text: string;
}

const CONTEXT_LINES = 2;

/** Changed lines with two lines of context; omitted lines are one line with the mark ` ` and the text `…`. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  const all: DiffLine[] = [];
  const common = longestCommon(old, now);
  let [left, right] = [0, 0];
  while (left < old.length || right < now.length) {
    if (left < old.length && right < now.length && old[left] === now[right]) {
      all.push({ mark: ' ', text: old[left] ?? '' });
      left += 1;
      right += 1;
    } else if (
      right === now.length ||
      (left < old.length && lengthAt(common, left + 1, right) >= lengthAt(common, left, right + 1))
    ) {
      all.push({ mark: '-', text: old[left] ?? '' });
      left += 1;
    } else {
      all.push({ mark: '+', text: now[right] ?? '' });
      right += 1;
    }
  }
  return withoutDistant(all);
}

const linesOf = (text: string): readonly string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));

/** `[i][j]`: length of the longest common subsequence of the lines from i and from j. */
function longestCommon(old: readonly string[], now: readonly string[]): readonly (readonly number[])[] {
  const table = Array.from({ length: old.length + 1 }, () => new Array<number>(now.length + 1).fill(0));
  for (let left = old.length - 1; left >= 0; left -= 1) {
    const row = table[left] ?? [];
    for (let right = now.length - 1; right >= 0; right -= 1) {
      row[right] =
        old[left] === now[right]
          ? lengthAt(table, left + 1, right + 1) + 1
          : Math.max(lengthAt(table, left + 1, right), row[right + 1] ?? 0);
    }
  }
  return table;
}

const lengthAt = (table: readonly (readonly number[])[], left: number, right: number): number =>
  table[left]?.[right] ?? 0;

function withoutDistant(all: readonly DiffLine[]): readonly DiffLine[] {
  const changed = all.flatMap(({ mark }, index) => (mark === ' ' ? [] : [index]));
  if (changed.length === 0) return [];
  const near = (index: number): boolean => changed.some((at) => Math.abs(at - index) <= CONTEXT_LINES);
  return all.flatMap((line, index) => {
    if (near(index)) return [line];
    return index === 0 || near(index - 1) ? [{ mark: ' ' as const, text: '…' }] : [];
  });
}
