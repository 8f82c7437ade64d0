import { expect, describe, it } from '@jest/globals';
import { ManualClock } from '../../../../test/support/clock/manual-clock.js';
import { FixedWindow } from './fixed-window.js';

describe('a fixed window of 2 uses a minute', () => {
  it('refuses the third use until the window of the first is over', () => {
    const clock = new ManualClock();
    const limit = new FixedWindow({ limit: 2, windowSeconds: 60 }, clock);
    expect(limit.take('a')).toBeUndefined();
    clock.advance(20_000);
    expect(limit.take('a')).toBeUndefined();
    expect(limit.take('a')).toBe(40);
    clock.advance(39_999);
    expect(limit.take('a')).toBe(1);
    clock.advance(1);
    expect(limit.take('a')).toBeUndefined();
  });

  it('counts every key for itself, and peeking counts nothing', () => {
    const limit = new FixedWindow({ limit: 2, windowSeconds: 60 }, new ManualClock());
    for (let peeks = 0; peeks < 5; peeks += 1) expect(limit.peek('a')).toBeUndefined();
    limit.take('a');
    expect(limit.peek('a')).toBeUndefined();
    limit.take('a');
    expect(limit.peek('a')).toBe(60);
    expect(limit.peek('b')).toBeUndefined();
  });
});
