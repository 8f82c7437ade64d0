import { describe, expect, it } from '@jest/globals';
import { isLocalReset, proveLocalReset, type LocalReset } from './local-reset.js';

const secret = 'a secret of the test suite, long enough';
const reset: LocalReset = {
  purpose: 'reset',
  email: 'ann@example.com',
  passwordHash: '$argon2id$…',
  lifetimeMs: null,
  issuedAtMs: 1_000,
};
const proof = proveLocalReset(secret, reset);

describe('the proof of a local reset', () => {
  it('the proof of a local reset is valid for a minute, with this secret, for this change', () => {
    expect(isLocalReset(secret, reset, proof, 61_000)).toBe(true);
    expect(isLocalReset(secret, reset, proof, 61_001)).toBe(false);
    expect(isLocalReset(`${secret}!`, reset, proof, 1_000)).toBe(false);
    expect(isLocalReset(secret, { ...reset, email: 'eve@example.com' }, proof, 1_000)).toBe(false);
    expect(isLocalReset(secret, { ...reset, purpose: 'create-owner' }, proof, 1_000)).toBe(false);
    expect(isLocalReset(secret, { ...reset, lifetimeMs: 1 }, proof, 1_000)).toBe(false);
    expect(isLocalReset(secret, reset, '', 1_000)).toBe(false);
  });
});
