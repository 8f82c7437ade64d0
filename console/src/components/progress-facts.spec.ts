import { describe, expect, it } from '@jest/globals';
import { progressFacts } from './progress-facts';

const progress = { completed_bytes: 1_000_000, total_bytes: 4_000_000, bytes_per_second: 500_000 };

describe('the progress of an operation', () => {
  it('has its bytes, its share, its speed, and the time that is left', () => {
    expect(progressFacts(progress)).toEqual(['1 MB of 4 MB', '25%', '500 kB/s', '0:06 left']);
  });

  it('leaves out what is not known', () => {
    expect(progressFacts({ ...progress, bytes_per_second: null })).toEqual(['1 MB of 4 MB', '25%']);
    expect(progressFacts({ ...progress, total_bytes: null })).toEqual(['500 kB/s']);
    expect(progressFacts({ completed_bytes: null, total_bytes: null, bytes_per_second: null })).toEqual([]);
  });
});
