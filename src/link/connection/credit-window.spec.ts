import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MAX_WINDOW_BYTES, ReceiveWindow, SendWindow } from './credit-window.js';
import { LinkProtocolError } from '../link-errors.js';

describe('ReceiveWindow', () => {
  it('returns credit in half windows', () => {
    const window = new ReceiveWindow(64);
    window.received(64);
    expect([window.consumed(31), window.consumed(1), window.consumed(16), window.consumed(16)]).toEqual([0, 32, 0, 32]);
  });

  it('returns held credit at once when asked', () => {
    const window = new ReceiveWindow(64);
    window.received(40);
    expect(window.consumed(10)).toBe(0);
    expect(window.consumed(0, true)).toBe(10);
    expect(window.available).toBe(34);
  });

  it('treats one byte over the window as a protocol error', () => {
    const window = new ReceiveWindow(64);
    window.received(64);
    expect(() => {
      window.received(1);
    }).toThrow(LinkProtocolError);
  });

  it('never grants more than was received', () => {
    const window = new ReceiveWindow(64);
    window.received(40);
    expect(window.consumed(1_000)).toBe(40);
    expect(window.available).toBe(64);
  });
});

describe('SendWindow', () => {
  it('allows no bytes without credit', () => {
    const window = new SendWindow(10);
    window.consume(10);
    expect(() => {
      window.consume(1);
    }).toThrow(RangeError);
  });

  it('SendWindow is widened by the peer, within bounds', () => {
    const window = new SendWindow(10);
    window.replenish(90);
    expect([window.available, window.outstanding]).toEqual([100, 0]);
    expect(() => {
      window.replenish(MAX_WINDOW_BYTES);
    }).toThrow(LinkProtocolError);
  });
});

describe('credit between the two ends', () => {
  it('credit between the two ends is conserved: sendable, in flight, unread and held bytes add up to the window', () => {
    const step = fc.record({ act: fc.constantFrom('send', 'arrive', 'take', 'grant'), bytes: fc.nat(100) });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), fc.array(step, { maxLength: 200 }), (size, steps) => {
        const sender = new SendWindow(size);
        const receiver = new ReceiveWindow(size);
        let onTheWay = 0;
        let unread = 0;
        let grantsOnTheWay = 0;
        for (const { act, bytes } of steps) {
          if (act === 'send') {
            const sent = Math.min(bytes, sender.available);
            sender.consume(sent);
            onTheWay += sent;
          } else if (act === 'arrive') {
            const arrived = Math.min(bytes, onTheWay);
            receiver.received(arrived);
            onTheWay -= arrived;
            unread += arrived;
          } else if (act === 'take') {
            const taken = Math.min(bytes, unread);
            unread -= taken;
            grantsOnTheWay += receiver.consumed(taken, bytes % 7 === 0);
          } else if (grantsOnTheWay > 0) {
            sender.replenish(grantsOnTheWay);
            grantsOnTheWay = 0;
          }
          expect(sender.available + onTheWay + receiver.outstanding + grantsOnTheWay).toBe(size);
          expect(sender.outstanding).toBe(onTheWay + receiver.outstanding + grantsOnTheWay);
          expect(unread).toBeLessThanOrEqual(receiver.outstanding);
        }
      }),
    );
  });
});
