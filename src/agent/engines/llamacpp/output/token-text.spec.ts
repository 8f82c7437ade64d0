import { describe, expect, it } from '@jest/globals';
import { TokenText } from './token-text.js';

/** Every token is one byte. */
const bytes = { detokenize: (tokens: readonly number[]) => Buffer.from(tokens).toString('utf8') };

describe('token text', () => {
  it('holds tokens that end inside a character', () => {
    const text = new TokenText(bytes, false);
    const chunks = [...Buffer.from('aé🙂b')].map((token) => text.push(token));
    expect(chunks).toEqual(['a', '', 'é', '', '', '', '🙂', 'b']);
    expect(text.flush()).toBe('');
  });

  it('token text does not hold back invalid bytes', () => {
    const text = new TokenText(bytes, false);
    const chunks = [0xff, 0xff, 0xff, 0xff].map((token) => text.push(token));
    expect(chunks.slice(0, 3)).toEqual(['', '', '']);
    expect(chunks[3]).toMatch(/^\uFFFD+$/);
  });

  it('flushes the rest when the answer ends inside a character', () => {
    const text = new TokenText(bytes, false);
    text.push(0xc3);
    expect(text.flush()).toBe('\uFFFD');
  });
});
