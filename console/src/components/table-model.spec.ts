import { describe, expect, it } from '@jest/globals';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { Column } from './data-table.types';
import type { SortValue } from './sort-rows';
import { useTableModel } from './table-model';

interface Named {
  readonly id: string;
  readonly value: SortValue;
}

const columns: readonly Column<Named>[] = [
  { id: 'value', header: 'Value', cell: ({ value }) => value, sortBy: ({ value }) => value },
];

function Ids({ rows, sort }: { readonly rows: readonly Named[]; readonly sort: string }) {
  const model = useTableModel({ rows, columns, rowKey: ({ id }) => id, sort, unfolds: false });
  return model.map((row) => row.id).join(' ');
}

/** @returns the ids, which are the places of the values, in the order of the table */
const sorted = (values: readonly SortValue[], sort: string): string =>
  renderToStaticMarkup(
    createElement(Ids, { rows: values.map((value, index) => ({ id: String(index), value })), sort }),
  );

describe('the rows of a table', () => {
  it('the rows of a table are sorted by names in natural order', () => {
    expect(sorted(['node-10', 'Node-2', 'node-1'], 'value')).toBe('2 1 0');
  });

  it('the rows of a table end with what is not known, in either direction', () => {
    expect(sorted([null, 2, undefined, 10], 'value')).toBe('1 3 0 2');
    expect(sorted([null, 2, undefined, 10], '-value')).toBe('3 1 0 2');
  });

  it('the rows of a table keep their order where they are equal, and without a sort order', () => {
    expect(sorted([5, 5, 1], '-value')).toBe('0 1 2');
    expect(sorted([3, 1, 2], '')).toBe('0 1 2');
  });
});
