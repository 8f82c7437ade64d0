import { describe, expect, it } from '@jest/globals';
import { hiddenEnds } from './use-hidden-ends';

const at = (scrollLeft: number) => hiddenEnds({ scrollLeft, scrollWidth: 500, clientWidth: 300 });

describe('hiddenEnds', () => {
  it('is where the text goes on', () => {
    expect([at(0), at(100), at(200)]).toEqual(['end', 'both', 'start']);
  });

  it('is nowhere where all of it is seen, but for a fraction of a pixel', () => {
    expect(hiddenEnds({ scrollLeft: 0, scrollWidth: 301, clientWidth: 300 })).toBeUndefined();
    expect(at(199.5)).toBe('start');
  });
});
