import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ManualClock } from '../../../../test/support/clock/manual-clock.js';
import { LinkDrain } from './link-drain.js';

let clock: ManualClock;

class FakeRegistry {
  openStreams = 0;
  links = 1_000;
  readonly reconnectInMs: number[] = [];
  closed = false;
  drain(reconnectInMs: () => number): void {
    this.reconnectInMs.push(reconnectInMs(), reconnectInMs());
  }
  closeAll(): void {
    this.closed = true;
  }
}

let registry: FakeRegistry;
let drain: LinkDrain;
beforeEach(() => {
  clock = new ManualClock(0);
  registry = new FakeRegistry();
  const randoms = [0, 0.75];
  drain = new LinkDrain(registry, clock, () => randoms.shift() ?? 0);
});

describe('LinkDrain', () => {
  it('spreads reconnects, and closes at once without running streams', async () => {
    await drain.drain(30_000);
    expect(registry.reconnectInMs).toEqual([0, 7_500]);
    expect(registry.closed).toBe(true);
  });

  it('lets a single node reconnect soon', async () => {
    registry.links = 1;
    await drain.drain(30_000);
    expect(registry.reconnectInMs).toEqual([0, 75]);
  });

  it('waits for running streams', async () => {
    registry.openStreams = 1;
    const draining = drain.drain(30_000);
    expect([registry.reconnectInMs.length, registry.closed]).toEqual([2, false]);
    registry.openStreams = 0;
    await draining;
    expect(registry.closed).toBe(true);
  });

  it('leaves streams at the deadline to their owners for a short grace', async () => {
    jest.useFakeTimers();
    try {
      registry.openStreams = 1;
      const draining = drain.drain(30_000);
      clock.advance(30_000);
      await jest.advanceTimersByTimeAsync(100);
      expect(registry.closed).toBe(false);
      clock.advance(500);
      await jest.advanceTimersByTimeAsync(100);
      await draining;
      expect(registry.closed).toBe(true);
    } finally {
      jest.useRealTimers();
    }
  });
});
