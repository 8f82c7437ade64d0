import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import fc from 'fast-check';
import { fromCursor, toCursor, type Position } from './cursor.js';
import { pageResponse, pageOfAll, pageRequest, type PageResponse } from './page.js';
import { PageQueryDto } from './page-query.dto.js';

const at = (milliseconds: number): Date => new Date(milliseconds);
const query = (fields: Record<string, string>): PageQueryDto => plainToInstance(PageQueryDto, fields);
const positionOf = (item: Position): Position => item;
const idOf = ({ id }: Position): string => id;

describe('a cursor', () => {
  it('points to the start of the next page', () => {
    const position = { at: at(1_763_600_000_123), id: 'key_0Aa' };
    const cursor = toCursor(position);
    expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(fromCursor(cursor)).toEqual(position);
  });

  it.each([
    'x',
    '',
    Buffer.from('12:').toString('base64url'),
    Buffer.from("12:a' OR 1=1 --").toString('base64url'),
    Buffer.from('-1:key').toString('base64url'),
    Buffer.from('8640000000000001:key').toString('base64url'),
  ])('a cursor that is forged is refused: %j', (cursor) => {
    expect(() => fromCursor(cursor)).toThrow(
      expect.objectContaining({ code: 'invalid_request', status: 400, param: 'cursor' }),
    );
  });
});

describe('the query of a page', () => {
  const problems = (fields: Record<string, string>): string[] =>
    validateSync(query(fields)).map(({ property }) => property);

  it('defaults to 50 items', () => {
    expect(pageRequest(query({}))).toEqual({ limit: 50, after: null });
    expect(pageRequest(query({ limit: '7' }))).toEqual({ limit: 7, after: null });
  });

  it.each(['0', '201', '1.5', 'all', '-1', ''])('refuses the limit %j', (limit) => {
    expect(problems({ limit })).toEqual(['limit']);
  });

  it.each(['1', '200'])('accepts the limit %j', (limit) => {
    expect(problems({ limit })).toEqual([]);
  });

  it.each(['', 'a b', "a'", 'x'.repeat(201)])('refuses the cursor %j before it is decoded', (cursor) => {
    expect(problems({ cursor })).toEqual(['cursor']);
  });
});

describe('a page from a store', () => {
  const found = [3, 2, 1].map((time) => ({ at: at(time), id: `id${String(time)}` }));

  it('a page from a store has more when one row beyond the limit was found', () => {
    const page = pageResponse(found, { limit: 2 }, positionOf, idOf);
    expect(page).toMatchObject({ object: 'list', data: ['id3', 'id2'], has_more: true });
    expect(fromCursor(page.next_cursor ?? '')).toEqual(found[1]);
  });

  it('a page from a store is the last one otherwise', () => {
    const page = pageResponse(found, { limit: 3 }, positionOf, idOf);
    expect(page).toEqual({ object: 'list', data: ['id3', 'id2', 'id1'], has_more: false, next_cursor: null });
  });
});

describe('pages of a small list', () => {
  const items = fc.uniqueArray(
    fc.record({ at: fc.integer({ min: 0, max: 5 }).map(at), id: fc.stringMatching(/^[a-z]{1,3}$/) }),
    {
      selector: idOf,
      maxLength: 30,
    },
  );

  const walk = (all: readonly Position[], limit: string, order: 'newest' | 'oldest'): string[] => {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: PageResponse<string> = pageOfAll(
        all,
        query({ limit, ...(cursor === null ? {} : { cursor }) }),
        order,
        positionOf,
        idOf,
      );
      seen.push(...page.data);
      cursor = page.next_cursor;
      expect(page.has_more).toBe(cursor !== null);
    } while (cursor !== null);
    return seen;
  };

  it('pages of a small list show every item once, in one order and in its opposite', () => {
    fc.assert(
      fc.property(items, fc.integer({ min: 1, max: 7 }), (all, limit) => {
        const oldest = walk(all, String(limit), 'oldest');
        expect([...oldest].sort()).toEqual(all.map(idOf).sort());
        expect(walk(all, String(limit), 'newest')).toEqual(oldest.reverse());
      }),
    );
  });

  it('default to the maximum length', () => {
    const all = Array.from({ length: 201 }, (_, index) => ({ at: at(index), id: 'x' }));
    expect(pageOfAll(all, query({}), 'oldest', positionOf, idOf).data).toHaveLength(200);
  });

  it('pages of a small list continue after a deleted item', () => {
    const all = [1, 2, 3].map((time) => ({ at: at(time), id: `id${String(time)}` }));
    const cursor = toCursor({ at: at(2), id: 'id2' });
    expect(pageOfAll([all[0]!, all[2]!], query({ cursor }), 'oldest', positionOf, idOf).data).toEqual(['id3']);
  });
});
