/** The order of a table's rows, as it stands in the URL, and what its filter finds. */

export type SortValue = string | number | null | undefined;

export interface SortOrder {
  readonly column: string;
  readonly descending: boolean;
}

/** `-name` is descending by `name`; empty: as the rows come. */
export const sortOrderOf = (text: string): SortOrder | undefined => {
  const descending = text.startsWith('-');
  const column = descending ? text.slice(1) : text;
  return column === '' ? undefined : { column, descending };
};

export const sortText = ({ column, descending }: SortOrder): string => `${descending ? '-' : ''}${column}`;

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

export const compareValues = (a: string | number, b: string | number): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b));

/** Rows whose text has every word of the filter; a word after `-` must not occur. */
export function filterRows<Row>(rows: readonly Row[], filter: string, textOf: (row: Row) => string): readonly Row[] {
  const words = filter.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter((row) => {
    const text = textOf(row).toLocaleLowerCase();
    return words.every((word) =>
      word.startsWith('-') && word.length > 1 ? !text.includes(word.slice(1)) : text.includes(word),
    );
  });
}
