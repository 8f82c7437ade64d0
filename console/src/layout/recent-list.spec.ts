import { describe, expect, it } from '@jest/globals';
import { parseRecent, withVisit, type RecentObject } from './recent-list';

const computer = (id: string): RecentObject => ({ kind: 'computer', id, name: `name of ${id}` });

describe('what was visited last', () => {
  it('has each object once, the newest first, and eight at most', () => {
    const ids = ['1', '2', '3', '1', '4', '5', '6', '7', '8', '9'];
    const visited = ids.reduce<readonly RecentObject[]>((objects, id) => withVisit(objects, computer(id)), []);
    expect(visited.map(({ id }) => id)).toEqual(['9', '8', '7', '6', '5', '4', '1', '3']);
  });

  it('takes the last name of an object, and tells kinds apart', () => {
    const visited = withVisit(withVisit([computer('1')], { kind: 'model', id: '1', name: 'm' }), {
      ...computer('1'),
      name: 'renamed',
    });
    expect(visited.map(({ kind, name }) => `${kind} ${name}`)).toEqual(['computer renamed', 'model m']);
  });

  it('is read from what this or another version has stored', () => {
    expect(parseRecent(JSON.stringify([computer('1')]))).toEqual([computer('1')]);
    for (const text of [
      null,
      '',
      '{',
      '{}',
      'null',
      '[null, 1, {"kind":"planet","id":"1","name":"x"}, {"kind":"model"}]',
    ])
      expect(parseRecent(text)).toEqual([]);
  });
});
