import { describe, expect, it } from '@jest/globals';
import { BacklogTurns } from './backlog-turns.js';

const turn = (): Promise<void> => new Promise(setImmediate);

describe('turns of resumed streams', () => {
  it('run at once within the time budget, then in later turns of the event loop, in order', async () => {
    let nowMs = 0;
    const turns = new BacklogTurns(() => nowMs);
    const done: number[] = [];
    const work = (id: number) => (): void => {
      done.push(id);
      nowMs += 3;
    };
    for (let id = 0; id < 5; id += 1) turns.run(work(id));
    expect(done).toEqual([0, 1]);
    await turn();
    expect(done).toEqual([0, 1, 2, 3]);
    await turn();
    expect(done).toEqual([0, 1, 2, 3, 4]);
  });
});
