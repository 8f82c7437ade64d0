import { describe, expect, it } from '@jest/globals';
import type { StatusMessage } from '../../../link/messages.js';
import { ProblemTimes } from './problem-times.js';

const engines = (problems: Readonly<Record<string, string | undefined>>): StatusMessage['engines'] =>
  Object.entries(problems).map(([name, problem]) => ({ name, slots_total: 1, slots_used: 0, queue_depth: 0, problem }));

describe('the start time of an engine problem', () => {
  it('the start time of an engine problem is the first report, until it serves again', () => {
    const times = new ProblemTimes();
    times.note(engines({ a: undefined, b: undefined }), 1);
    expect([...times.sinceMs]).toEqual([]);
    times.note(engines({ a: 'cannot be reached', b: undefined }), 2);
    times.note(engines({ a: 'is silent', b: 'is silent' }), 3);
    expect([...times.sinceMs]).toEqual([
      ['a', 2],
      ['b', 3],
    ]);
    times.note(engines({ a: undefined, b: 'is silent' }), 4);
    expect([...times.sinceMs]).toEqual([['b', 3]]);
    times.note(engines({}), 5);
    expect([...times.sinceMs]).toEqual([]);
  });

  it('the start time of an engine problem is kept by a new link of the same process', () => {
    const older = new ProblemTimes();
    older.note(engines({ a: 'is silent' }), 2);
    const times = new ProblemTimes();
    times.inherit(older);
    times.note(engines({ a: 'is silent' }), 9);
    expect(times.sinceMs.get('a')).toBe(2);
  });
});
