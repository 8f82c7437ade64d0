import { describe, expect, it } from '@jest/globals';
import { createCredential, credentialDigest, parseCredential, type CredentialKind } from './credential.js';

const kinds: readonly CredentialKind[] = ['api-key', 'join-token', 'cli-token'];

describe('credentials', () => {
  it.each(kinds)('parses the %s it made', (kind) => {
    const made = createCredential(kind);
    expect(parseCredential(kind, made.text)).toEqual(made);
  });

  it('gives API keys the documented shape', () => {
    expect(createCredential('api-key').text).toMatch(/^sk-ferry-[0-9A-Za-z]{61}$/);
  });

  it('never takes one kind for another', () => {
    for (const kind of kinds) {
      const { text } = createCredential(kind);
      for (const other of kinds.filter((candidate) => candidate !== kind)) {
        expect(parseCredential(other, text)).toBeUndefined();
      }
    }
  });

  it('refuses a credential with any one character changed', () => {
    const { text } = createCredential('api-key');
    for (let index = 0; index < text.length; index += 1) {
      const changed = text.slice(0, index) + (text[index] === 'x' ? 'y' : 'x') + text.slice(index + 1);
      expect(parseCredential('api-key', changed)).toBeUndefined();
    }
  });

  it.each(['', 'sk-ferry-', 'sk-ferry-short', `sk-ferry-${'a'.repeat(61)}`, `sk-ferry-${'é'.repeat(61)}`])(
    'refuses %j',
    (text) => {
      expect(parseCredential('api-key', text)).toBeUndefined();
    },
  );

  it('digests the whole text, separately for each kind', () => {
    const key = createCredential('api-key');
    expect(credentialDigest(key)).toHaveLength(32);
    expect(credentialDigest(key)).not.toEqual(credentialDigest({ ...key, kind: 'cli-token' }));
  });

  it('never repeats', () => {
    const texts = new Set(Array.from({ length: 1_000 }, () => createCredential('api-key').text));
    expect(texts.size).toBe(1_000);
  });
});
