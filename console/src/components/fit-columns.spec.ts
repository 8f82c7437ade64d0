import { describe, expect, it } from '@jest/globals';
import type { Column } from './data-table.types';
import { columnsBelow, fitColumns, headingWidth } from './fit-columns';

const column = (id: string, rest: Partial<Column<object>> = {}): Column<object> => ({
  id,
  header: id,
  cell: () => id,
  width: '200px',
  ...rest,
});

const columns = [
  column('name', { heading: true }),
  column('state'),
  column('size', { rank: 5 }),
  column('seen'),
  column('action', { rank: 0 }),
];

const idsAt = (widthPx: number, unfolds = false): readonly string[] | 'cards' => {
  const fitting = fitColumns(columns, widthPx, unfolds);
  return fitting === 'cards' ? fitting : fitting.map(({ id }) => id);
};

describe('fitColumns', () => {
  it('keeps every column where there is room', () => {
    expect(idsAt(1_000)).toEqual(['name', 'state', 'size', 'seen', 'action']);
  });

  it('leaves out the highest rank first, and later columns before earlier ones', () => {
    expect(idsAt(999)).toEqual(['name', 'state', 'seen', 'action']);
    expect(idsAt(799)).toEqual(['name', 'state', 'action']);
  });

  it('counts the column that unfolds a row', () => {
    expect(idsAt(1_000, true)).toEqual(['name', 'state', 'seen', 'action']);
  });

  it('makes cards of what is narrow, and of what would lose a column that has to stay', () => {
    expect(idsAt(619)).toBe('cards');
    const fixed = [column('name', { heading: true, width: '400px' }), column('action', { rank: 0, width: '400px' })];
    expect(fitColumns(fixed, 700, false)).toBe('cards');
  });

  it('makes cards where a column that has to stay would be narrower than its least width', () => {
    const where = { id: 'where', header: 'where', cell: () => '', rank: 0, minWidth: '460px' } as const;
    const columns = [column('name', { heading: true, width: '180px' }), where];
    expect(fitColumns(columns, 640, false)).toHaveLength(2);
    expect(fitColumns(columns, 639, false)).toBe('cards');
  });

  it('shares the room among columns without a width, of which the heading has more', () => {
    const flexible = ['a', 'b', 'c', 'd', 'e'].map((id, index) => ({
      id,
      header: id,
      cell: () => id,
      heading: index === 0,
    }));
    expect(fitColumns(flexible, 628, false)).toHaveLength(5);
    expect(fitColumns(flexible, 627, false)).toHaveLength(4);
  });
});

describe('headingWidth', () => {
  const flexible = (id: string, heading = false): Column<object> => ({ id, header: id, cell: () => id, heading });

  it('is twice the share of another column in what is left', () => {
    const shared = [flexible('name', true), flexible('model'), column('state')];
    expect(headingWidth(shared, 180 + 112 + 200, false)).toBe('180px');
    expect(headingWidth(shared, 180 + 112 + 200 + 300, false)).toBe('380px');
    expect(headingWidth(shared, 180 + 112 + 200 + 36 + 300, true)).toBe('380px');
  });

  it('begins at the least width that the heading has', () => {
    const shared = [{ ...flexible('name', true), minWidth: '260px' } as const, flexible('model')];
    expect(headingWidth(shared, 260 + 112, false)).toBe('260px');
  });

  it('ends at the most that the heading may have', () => {
    const shared = [{ ...flexible('name', true), maxWidth: '280px' } as const, flexible('state')];
    expect(headingWidth(shared, 180 + 112 + 90, false)).toBe('240px');
    expect(headingWidth(shared, 180 + 112 + 600, false)).toBe('280px');
  });

  it('is not given where the heading has all that is left, or a width of its own', () => {
    expect(headingWidth([flexible('name', true), column('state')], 900, false)).toBeUndefined();
    expect(headingWidth([column('name', { heading: true }), flexible('a'), flexible('b')], 900, false)).toBeUndefined();
  });
});

describe('columnsBelow', () => {
  const told = [
    column('name', { heading: true }),
    column('key', { below: () => 'codex' }),
    column('speed'),
    column('node', { below: () => 'studio' }),
  ];
  const belowAt = (widthPx: number): readonly string[] =>
    columnsBelow(told, fitColumns(told, widthPx, false)).map(({ id }) => id);

  it('has those that are left out and can be said in a line, in their order', () => {
    expect(belowAt(800)).toEqual([]);
    expect(belowAt(799)).toEqual(['node']);
    expect(belowAt(620)).toEqual(['node']);
    const narrow = told.map((one) => ({ ...one, width: '400px' as const }));
    expect(columnsBelow(narrow, fitColumns(narrow, 620, false)).map(({ id }) => id)).toEqual(['key', 'node']);
  });

  it('is empty for cards, which have every column', () => {
    expect(belowAt(400)).toEqual([]);
  });
});
