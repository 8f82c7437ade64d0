import { describe, expect, it } from '@jest/globals';
import { fitSentence } from './fit-sentence';

const GB = 1e9;
const load = {
  sizeBytes: 10 * GB,
  computer: { memory: { total_bytes: 16 * GB, free_bytes: 15 * GB } },
  tokens: 1_000_000,
  leastTokens: 2_048,
  elsewhere: false,
};

describe('the sentence about a model that does not fit', () => {
  it('advises less context only where less was not chosen, and helps', () => {
    const sentenceOf = (changed: Partial<Parameters<typeof fitSentence>[1]>): string =>
      fitSentence('does_not_fit', { ...load, ...changed });
    expect(sentenceOf({})).toBe('It is too large for this computer. Choose less context.');
    expect(sentenceOf({ tokens: undefined })).toBe('It is too large for this computer.');
    expect(sentenceOf({ tokens: 2_048 })).toBe('It is too large for this computer.');
    expect(sentenceOf({ sizeBytes: 100 * GB })).toBe('It is too large for this computer.');
    expect(sentenceOf({ elsewhere: true })).toMatch(/Choose less context, or another computer\.$/);
  });
});
