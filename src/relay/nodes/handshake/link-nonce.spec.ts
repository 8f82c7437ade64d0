import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '../../../../test/support/clock/manual-clock.js';
import { LinkNonces } from './link-nonce.js';

const SECRET = 'a secret of at least 32 characters';
const LIFETIME_MS = 60_000;

describe('LinkNonces', () => {
  it('verifies its own without stored state', () => {
    const clock = new ManualClock(1_700_000_000_000);
    const nonce = new LinkNonces(SECRET, LIFETIME_MS, clock).issue();
    expect(new LinkNonces(SECRET, LIFETIME_MS, clock).verify(nonce)).toBe('valid');
  });

  it('never issues one twice', () => {
    const nonces = new LinkNonces(SECRET, LIFETIME_MS, new ManualClock(0));
    expect(new Set(Array.from({ length: 100 }, () => nonces.issue())).size).toBe(100);
  });

  it('expires at the end of its life and not before', () => {
    const clock = new ManualClock(1_700_000_000_000);
    const nonces = new LinkNonces(SECRET, LIFETIME_MS, clock);
    const nonce = nonces.issue();
    clock.advance(LIFETIME_MS - 1);
    expect(nonces.verify(nonce)).toBe('valid');
    clock.advance(1);
    expect(nonces.verify(nonce)).toBe('expired');
  });

  it('refuses one signed with another secret', () => {
    const clock = new ManualClock(0);
    const nonce = new LinkNonces('another secret, also long enough', LIFETIME_MS, clock).issue();
    expect(new LinkNonces(SECRET, LIFETIME_MS, clock).verify(nonce)).toBe('forged');
  });

  it('refuses one with any bit changed', () => {
    const nonces = new LinkNonces(SECRET, LIFETIME_MS, new ManualClock(0));
    const bytes = Buffer.from(nonces.issue(), 'base64url');
    for (let index = 0; index < bytes.length; index += 1) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(index) ^ 1, index);
      expect(nonces.verify(changed.toString('base64url'))).toBe('forged');
    }
  });

  it.each(['', 'x', 'A'.repeat(76), 'A'.repeat(75) + '=', 'A'.repeat(1_000), 'ü'.repeat(76), '\0'.repeat(76)])(
    'refuses %j',
    (text) => {
      expect(new LinkNonces(SECRET, LIFETIME_MS, new ManualClock(0)).verify(text)).toBe('forged');
    },
  );
});
