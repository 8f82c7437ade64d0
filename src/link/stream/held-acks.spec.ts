import { describe, expect, it } from '@jest/globals';
import { HeldAcks, MAX_ACK_HELD_MS } from './held-acks.js';

const labOf = () => {
  const timers: { readonly run: () => void; readonly delayMs: number }[] = [];
  const released: string[] = [];
  const acks = new HeldAcks((run, delayMs) => timers.push({ run, delayMs }));
  const holder = (name: string) => ({ releaseAck: () => released.push(name) });
  const fire = (): void => {
    timers.shift()?.run();
  };
  return { acks, timers, released, holder, fire };
};

describe('held ACKs', () => {
  it('held ACKs wait for at least half of the longest time and at most all of it, with one timer', () => {
    const { acks, timers, released, holder, fire } = labOf();
    acks.hold(holder('a'));
    acks.hold(holder('b'));
    expect(timers.map(({ delayMs }) => delayMs)).toEqual([MAX_ACK_HELD_MS / 2]);
    fire();
    acks.hold(holder('c'));
    expect([released, timers.length]).toEqual([[], 1]);
    fire();
    expect(released).toEqual(['a', 'b']);
    fire();
    expect(released).toEqual(['a', 'b', 'c']);
    fire();
    expect(timers).toEqual([]);
  });

  it('held ACKs are forgotten in both halves of their time', () => {
    const { acks, timers, released, holder, fire } = labOf();
    const [a, b] = [holder('a'), holder('b')];
    acks.hold(a);
    acks.hold(b);
    acks.forget(a);
    fire();
    acks.forget(b);
    fire();
    expect([released, timers]).toEqual([[], []]);
  });

  it('held ACKs may be released by one another', () => {
    const { acks, released, holder, fire } = labOf();
    const b = holder('b');
    acks.hold({
      releaseAck: () => {
        released.push('a');
        acks.forget(b);
      },
    });
    acks.hold(b);
    fire();
    fire();
    expect(released).toContain('a');
  });
});
