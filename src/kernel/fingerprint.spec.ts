import { describe, expect, it } from '@jest/globals';
import { fingerprintOf, isFingerprintOf } from './fingerprint.js';
import { fingerprintWords } from './fingerprint.js';

const key = Buffer.alloc(32, 7);

describe('the fingerprint of a key', () => {
  it('the fingerprint of a key is six words and stable, since relays and nodes of all versions compare them', () => {
    expect(fingerprintOf(key)).toBe('task-tribe-vital-clown-coast-arch');
    expect(fingerprintOf(Buffer.alloc(32, 8))).not.toBe(fingerprintOf(key));
  });

  it('the fingerprint of a key is made of 256 words that differ in their first four letters', () => {
    expect(fingerprintWords).toHaveLength(256);
    expect(new Set(fingerprintWords.map((word) => word.slice(0, 4))).size).toBe(256);
    for (const word of fingerprintWords) expect(word).toMatch(/^[a-z]{4,6}$/);
  });

  it('the fingerprint of a key is recognised regardless of case and spacing, and only as a whole', () => {
    const words = fingerprintOf(key);
    expect(isFingerprintOf(key, ` ${words.toUpperCase().replaceAll('-', '  ')}\n`)).toBe(true);
    expect(isFingerprintOf(key, words.split('-').slice(1).join('-'))).toBe(false);
    expect(isFingerprintOf(key, `${words}-able`)).toBe(false);
    expect(isFingerprintOf(key, '')).toBe(false);
  });
});
