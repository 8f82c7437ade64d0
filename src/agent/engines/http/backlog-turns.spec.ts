import { describe, expect, it } from '@jest/globals';
import { BacklogTurns } from './backlog-turns.js';

const turn = (): Promise<void> => new Promise(setImmediate);

describe('turns of resumed streams', () => {
  it('turns of resumed streams run at once within the time budget, then in later turns of the event loop, in order', async () => {
    let nowMs = 0;
    const turns = new BacklogTurns(() => nowMs);
    const done: number[] = [];
    const work = (id: number) => (): boolean => {
      done.push(id);
      nowMs += 3;
      return false;
    };
    for (let id = 0; id < 5; id += 1) turns.run(work(id));
    expect(done).toEqual([0, 1]);
    await turn();
    expect(done).toEqual([0, 1, 2, 3]);
    await turn();
    expect(done).toEqual([0, 1, 2, 3, 4]);
  });

  it('turns of resumed streams take one step of each waiting stream in turn, until none has more', async () => {
    let nowMs = 0;
    const turns = new BacklogTurns(() => nowMs);
    const done: string[] = [];
    const work = (name: string, steps: number) => (): boolean => {
      done.push(name);
      nowMs += 1;
      steps -= 1;
      return steps > 0;
    };
    turns.run(work('a', 7));
    turns.run(work('b', 2));
    expect(done.join('')).toBe('aaaa');
    await turn();
    expect(done.join('')).toBe('aaaaabab');
    await turn();
    expect(done.join('')).toBe('aaaaababa');
  });

  it('turns of resumed streams take a hundred thousand steps of one stream without recursion', () => {
    const turns = new BacklogTurns(() => 0);
    let left = 100_000;
    turns.run(() => (left -= 1) > 0);
    expect(left).toBe(0);
  });

  it('turns of resumed streams continue with the other streams after a step that throws', async () => {
    let nowMs = 0;
    const turns = new BacklogTurns(() => nowMs);
    expect(() => {
      turns.run(() => {
        nowMs += 4;
        throw new Error('a step failed');
      });
    }).toThrow('a step failed');
    let done = 0;
    turns.run(() => {
      done += 1;
      return false;
    });
    expect(done).toBe(0);
    await turn();
    expect(done).toBe(1);
  });
});
