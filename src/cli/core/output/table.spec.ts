import { describe, expect, it } from '@jest/globals';
import { renderTable, type Column } from './table.js';

interface Row {
  readonly id: string;
  readonly name: string;
}

const columns: readonly Column<Row>[] = [
  { heading: 'CLUSTER', value: (row) => row.id },
  { heading: 'NAME', value: (row) => row.name },
];

describe('a table', () => {
  it('aligns its columns, without borders and without spaces at the end of a line', () => {
    const rows = [
      { id: 'cl_8f2a91', name: 'home' },
      { id: 'cl_1', name: 'laboratory' },
    ];
    expect(renderTable(columns, rows, false)).toBe(
      ['CLUSTER    NAME', 'cl_8f2a91  home', 'cl_1       laboratory'].join('\n'),
    );
  });

  it('has only headings without rows', () => {
    expect(renderTable(columns, [], false)).toBe('CLUSTER  NAME');
  });

  it('shows an empty value as a dash', () => {
    expect(renderTable(columns, [{ id: 'cl_1', name: '' }], false)).toContain('cl_1     -');
  });

  it('aligns wide characters by display width', () => {
    const [, first, second] = renderTable(
      columns,
      [
        { id: '日本', name: 'a' },
        { id: 'abcd', name: 'b' },
      ],
      false,
    ).split('\n');
    expect([first, second]).toEqual(['日本     a', 'abcd     b']);
  });

  it('removes control sequences from names', () => {
    const text = renderTable(columns, [{ id: 'cl_1', name: 'evil\u001b]0;title\u0007\nnext\u202etxt' }], false);
    expect(text).not.toMatch(/[\u001b\u0007\u202e]/);
    expect(text.split('\n')).toHaveLength(2);
  });

  it('uses ANSI sequences only when enabled', () => {
    expect(renderTable(columns, [], true)).toContain('\u001b[1m');
    expect(renderTable(columns, [], false)).not.toContain('\u001b');
  });
});
