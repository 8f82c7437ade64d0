import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '../../../test/support/clock/manual-clock.js';
import { TransferRate } from './transfer-rate.js';

function downloading(
  bytesPerSecond: number,
  seconds: number,
  clock = new ManualClock(),
  rate = new TransferRate(clock),
) {
  let bytes = 0;
  rate.count(bytes);
  for (let step = 0; step < seconds * 4; step += 1) {
    clock.advance(250);
    rate.count((bytes += bytesPerSecond / 4));
  }
  return { clock, rate, bytes };
}

describe('TransferRate', () => {
  it('TransferRate is unknown before two samples', () => {
    const rate = new TransferRate(new ManualClock());
    rate.count(1_000);
    expect(rate.bytesPerSecond).toBeNull();
  });

  it('TransferRate is the speed of a steady download', () => {
    expect(downloading(1_000_000, 2).rate.bytesPerSecond).toBe(1_000_000);
  });

  it('follows changes smoothly', () => {
    const { clock, rate, bytes } = downloading(1_000_000, 10);
    clock.advance(250);
    rate.count(bytes + 25_000);
    expect(rate.bytesPerSecond).toBeGreaterThan(900_000);
    for (let step = 1; step <= 80; step += 1) {
      clock.advance(250);
      rate.count(bytes + 25_000 + step * 25_000);
    }
    expect(rate.bytesPerSecond).toBeLessThan(120_000);
  });

  it('tolerates bursts of samples', () => {
    const { clock, rate, bytes } = downloading(1_000_000, 2);
    clock.advance(1);
    rate.count(bytes + 500_000);
    expect(rate.bytesPerSecond).toBe(1_000_000);
  });

  it('starts over for another file, and expires without samples', () => {
    const { rate } = downloading(1_000_000, 2);
    rate.count(0);
    expect(rate.bytesPerSecond).toBeNull();
    const stalled = downloading(1_000_000, 2);
    stalled.clock.advance(10_001);
    expect(stalled.rate.bytesPerSecond).toBeNull();
  });
});
