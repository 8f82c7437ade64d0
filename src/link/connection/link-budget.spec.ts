import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ReceiveBudget, SendBudget } from './link-budget.js';
import { LinkProtocolError } from '../link-errors.js';

describe('SendBudget', () => {
  it('reserves a share for a stream that has sent nothing', () => {
    const budget = new SendBudget(1_000, 5);
    const hog = budget.allowance(0, 10_000);
    budget.moved(0, hog);
    expect(hog).toBe(600);
    expect(budget.allowance(0, 10_000)).toBe(100);
    budget.moved(0, 100);
    expect(budget.allowance(100, 10_000)).toBe(0);
  });

  it('reports starvation once', () => {
    const budget = new SendBudget(1_000, 5);
    budget.moved(0, budget.allowance(0, 200));
    expect(budget.takeStarving()).toBe(false);
    budget.allowance(200, 10_000);
    expect(budget.takeStarving()).toBe(true);
    expect(budget.takeStarving()).toBe(false);
  });

  it('never lets the sum over all streams pass the bound, and gives all of it back', () => {
    const act = fc.record({ stream: fc.nat(5), send: fc.boolean(), bytes: fc.nat(500) });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_000 }), fc.array(act, { maxLength: 300 }), (bound, acts) => {
        const streams = [0, 0, 0, 0, 0, 0];
        const budget = new SendBudget(bound, streams.length);
        for (const { stream, send, bytes } of acts) {
          const before = streams[stream] ?? 0;
          const after = send ? before + budget.allowance(before, bytes) : Math.max(0, before - bytes);
          budget.moved(before, after);
          streams[stream] = after;
          expect(streams.reduce((sum, held) => sum + held)).toBeLessThanOrEqual(bound);
        }
        streams.forEach((held) => {
          budget.moved(held, 0);
        });
        const reserve = Math.floor(bound / (2 * streams.length));
        expect(budget.allowance(0, bound)).toBe(bound - reserve * (streams.length - 1));
      }),
    );
  });
});

describe('ReceiveBudget', () => {
  it('reports scarcity, and breaks the link beyond its bound', () => {
    const budget = new ReceiveBudget(100);
    expect([budget.received(50), budget.scarce]).toEqual([false, false]);
    expect([budget.received(1), budget.scarce]).toEqual([true, true]);
    expect(budget.received(49)).toBe(false);
    expect(() => budget.received(1)).toThrow(LinkProtocolError);
    budget.released(60);
    expect(budget.scarce).toBe(false);
  });
});
