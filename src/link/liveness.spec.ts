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

describe('Liveness', () => {
  it('pings every ten seconds, and gives a silent peer up after twenty-five', () => {
    expect(run(new Liveness(limits, 0), 0, 25_000)).toEqual(['ping 10000', 'ping 20000', 'dead 25000']);
  });

  it('takes any message as a sign of life', () => {
    const liveness = new Liveness(limits, 0);
    run(liveness, 0, 24_000);
    liveness.heard(24_500);
    expect(run(liveness, 25_000, 50_000)).toEqual(['ping 30000', 'ping 40000', 'dead 50000']);
  });

  it('measures the round trip of a ping, not of a message that came in between', () => {
    const liveness = new Liveness(limits, 0);
    run(liveness, 0, 10_000);
    liveness.heard(10_002);
    expect(liveness.roundTripMs).toBeNull();
    liveness.pong(10_040);
    expect(liveness.roundTripMs).toBe(40);
    liveness.pong(12_000);
    expect(liveness.roundTripMs).toBe(40);
  });

  it('gives the peer time for one ping after its own process stood still', () => {
    const answering = new Liveness(limits, 0);
    run(answering, 0, 5_000);
    expect(answering.check(300_000)).toBe('ping');
    answering.pong(300_050);
    expect(run(answering, 301_000, 312_000)).toEqual(['ping 310000']);
    const silent = new Liveness(limits, 0);
    run(silent, 0, 5_000);
    expect(silent.check(300_000)).toBe('ping');
    expect(run(silent, 301_000, 310_000)).toEqual(['dead 310000']);
  });
});
