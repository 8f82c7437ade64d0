import { describe, expect, it } from '@jest/globals';
import { parseExact } from '../../../kernel/exact-json.js';
import { normaliseEnvelope } from './envelope-fields.js';

const USAGE = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };

const normalised = (object: object): object => {
  const copy = { ...object };
  normaliseEnvelope(copy);
  return copy;
};

describe('members beside the choices', () => {
  it.each<[object, object]>([
    [
      { id: 'x', created: 1, object: 'k', model: 'm', usage: null },
      { id: 'x', created: 1, object: 'k', model: 'm', usage: null },
    ],
    [{ id: 7 }, { id: '7' }],
    [{ id: null, created: null, model: 5 }, {}],
    [
      { id: 'x', created: 1.5 },
      { id: 'x', created: 1 },
    ],
    [
      { id: 'x', created: ' 17 ' },
      { id: 'x', created: 17 },
    ],
    [
      { id: 'x', created: '2023-11-14T22:13:20.5Z' },
      { id: 'x', created: 1_700_000_000 },
    ],
    [
      { id: 'x', created: 1_700_000_000_500 },
      { id: 'x', created: 1_700_000_000 },
    ],
    [{ id: 'x', created: -1 }, { id: 'x' }],
    [{ id: 'x', created: 'yesterday' }, { id: 'x' }],
  ])('%j become %j', (object, expected) => {
    expect(normalised(object)).toEqual(expected);
  });

  it('a number with 19 digits is read with all of them', () => {
    expect(normalised(parseExact('{"id":1234567890123456789,"created":1700000000123456789}') as object)).toEqual({
      id: '1234567890123456789',
      created: 1_700_000_000,
    });
  });

  it.each<[unknown, unknown]>([
    [
      { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3, extra: 4 },
      { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3, extra: 4 },
    ],
    [
      { prompt_tokens: 1, completion_tokens: 2 },
      { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
    ],
    [
      { completion_tokens: '2', total_tokens: '3' },
      { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
    ],
    [
      { prompt_tokens: 3, total_tokens: 3 },
      { prompt_tokens: 3, completion_tokens: 0, total_tokens: 3 },
    ],
    [
      { ...USAGE, prompt_tokens_details: { cached_tokens: 1 }, completion_tokens_details: null },
      { ...USAGE, prompt_tokens_details: { cached_tokens: 1 }, completion_tokens_details: null },
    ],
    [
      { ...USAGE, prompt_tokens_details: { cached_tokens: '1', audio_tokens: 'none' }, completion_tokens_details: [] },
      { ...USAGE, prompt_tokens_details: { cached_tokens: 1 } },
    ],
    [{ prompt_tokens: 3 }, undefined],
    [{ prompt_tokens: -1, completion_tokens: 2 }, undefined],
    [{ prompt_tokens: 5, total_tokens: 3 }, undefined],
    [{}, undefined],
    [[], undefined],
    ['5', undefined],
  ])('usage %j becomes %j: no figure is invented', (usage, expected) => {
    expect(normalised({ id: 'x', usage })).toEqual({ id: 'x', ...(expected !== undefined && { usage: expected }) });
  });
});
