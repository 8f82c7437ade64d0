import { describe, expect, it } from '@jest/globals';
import { Liveness } from './liveness.js';

const limits = { pingIntervalMs: 10_000, deadAfterMs: 25_000 };

/** Second by second, as the owner's tick asks. */
const run = (liveness: Liveness, fromMs: number, toMs: number): string[] => {
  const log: string[] = [];
  for (let nowMs = fromMs; nowMs <= toMs; nowMs += 1_000) {
    const verdict = liveness.check(nowMs);
    if (verdict !== 'fine') log.push(`${verdict} ${nowMs}`);
  }
  return log;
};

/** Pings from now on are those for silence and of a settled link. */
const measuredThrice = (): Liveness => {
  const liveness = new Liveness(limits, 0);
  for (const atMs of [1_000, 2_000, 3_000]) {
    liveness.check(atMs);
    liveness.pong(atMs + 40);
  }
  return liveness;
};

describe('Liveness', () => {
  it('pings every ten seconds, and gives a silent peer up after twenty-five', () => {
    expect(run(new Liveness(limits, 0), 0, 25_000)).toEqual(['ping 1000', 'ping 11000', 'ping 21000', 'dead 25000']);
    const measured = measuredThrice();
    expect(run(measured, 4_000, 28_030)).toEqual(['ping 14000', 'ping 24000']);
    expect(measured.check(28_040)).toBe('dead');
  });

  it('counts any message as a sign of life', () => {
    const liveness = measuredThrice();
    run(liveness, 4_000, 24_000);
    liveness.pong(24_010);
    liveness.received(24_500);
    expect(run(liveness, 25_000, 50_000)).toEqual(['ping 35000', 'ping 45000', 'dead 50000']);
  });

  it('measures the round trip of a ping, not of a message that came in between', () => {
    const liveness = new Liveness(limits, 0);
    run(liveness, 0, 1_000);
    liveness.received(1_002);
    expect(liveness.roundTripMs).toBeNull();
    liveness.pong(1_040);
    expect(liveness.roundTripMs).toBe(40);
    liveness.pong(1_900);
    expect(liveness.roundTripMs).toBe(40);
  });

  it('leaves out of the round trip what a busy process adds to one ping, and follows the link after three', () => {
    const liveness = new Liveness(limits, 0);
    const seen: (number | null)[] = [];
    for (const [atMs, tookMs] of [
      [1_000, 146],
      [2_000, 3],
      [3_000, 55],
      [33_000, 60],
      [63_000, 58],
    ] as const) {
      expect(liveness.check(atMs)).toBe('ping');
      liveness.pong(atMs + tookMs);
      liveness.received(atMs + 29_000);
      seen.push(liveness.roundTripMs);
    }
    expect(seen).toEqual([146, 3, 3, 3, 55]);
  });

  it('pings an active peer for the round trip: three times at first, then every thirty seconds', () => {
    const liveness = new Liveness(limits, 0);
    const pings: number[] = [];
    for (let nowMs = 0; nowMs <= 100_000; nowMs += 1_000) {
      liveness.received(nowMs);
      if (liveness.check(nowMs) !== 'ping') continue;
      pings.push(nowMs);
      liveness.pong(nowMs + 40);
    }
    expect(pings).toEqual([1_000, 2_000, 3_000, 33_000, 63_000, 93_000]);
  });

  it.each([0, 300, 999])('shares the pings of an idle link with the other end, %i ms apart', (apartMs) => {
    const here = new Liveness(limits, 0);
    const there = new Liveness(limits, apartMs);
    let pings = 0;
    const tick = (one: Liveness, other: Liveness, nowMs: number): void => {
      const verdict = one.check(nowMs);
      expect(verdict).not.toBe('dead');
      if (verdict !== 'ping') return;
      pings += 1;
      other.received(nowMs);
      one.pong(nowMs + 40);
    };
    for (let nowMs = 0; nowMs < 600_000; nowMs += 1_000) {
      tick(here, there, nowMs);
      tick(there, here, nowMs + apartMs);
    }
    expect([here.roundTripMs, there.roundTripMs]).toEqual([40, 40]);
    // Each end by itself would send sixty.
    expect(pings).toBeGreaterThanOrEqual(54);
    expect(pings).toBeLessThanOrEqual(80);
  });

  it('allows the peer one more ping after its own process stalled', () => {
    const responding = measuredThrice();
    run(responding, 4_000, 5_000);
    expect(responding.check(300_000)).toBe('ping');
    responding.pong(300_050);
    expect(run(responding, 301_000, 312_000)).toEqual(['ping 311000']);
    const silent = new Liveness(limits, 0);
    run(silent, 0, 5_000);
    expect(silent.check(300_000)).toBe('ping');
    expect(run(silent, 301_000, 310_000)).toEqual(['dead 310000']);
  });
});
