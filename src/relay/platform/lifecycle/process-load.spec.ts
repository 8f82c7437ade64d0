import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { availableCores } from '../../../kernel/available-cores.js';
import { MeasuredLoad } from './process-load.js';

const block = (ms: number): void => {
  const end = performance.now() + ms;
  while (performance.now() < end);
};

describe('MeasuredLoad', () => {
  it('a process that waits uses neither its event loop nor its core', async () => {
    const load = new MeasuredLoad();
    await delay(300);
    const use = load.take();
    expect(use.loopShare).toBeLessThan(0.5);
    expect(use.coreShare).toBeLessThan(0.5);
    expect(use.longestTurnMs).toBe(0);
  });

  it('counts the time in which the event loop never waits, and the CPU time of the same period', async () => {
    const load = new MeasuredLoad();
    const cpuBefore = process.cpuUsage();
    const beganMs = performance.now();
    for (let turn = 0; turn < 10; turn += 1) {
      block(30);
      await new Promise<void>((resolve) => {
        setImmediate(resolve);
      });
    }
    const use = load.take();
    const { user, system } = process.cpuUsage(cpuBefore);
    expect(use.loopShare).toBeGreaterThan(0.9);
    // Beside other programs less than all of a core: what the system says of this process is the measure, not the clock.
    const cores = (user + system) / 1_000 / (performance.now() - beganMs);
    expect(use.coreShare).toBeCloseTo(cores / Math.min(1, availableCores()), 1);
  });

  it('times the longest turn in which a request arrived, from one look to the next', async () => {
    const load = new MeasuredLoad();
    setImmediate(() => {
      load.timeTurn();
      // Further requests of the same turn do not begin anew.
      block(25);
      load.timeTurn();
      block(75);
    });
    await delay(20);
    await delay(150);
    expect(load.take().longestTurnMs).toBeGreaterThanOrEqual(100);
    expect(load.take().longestTurnMs).toBe(0);
  });

  it('tells of a long turn while it is under way, with the requests that it has read', () => {
    let nowMs = 1_000;
    const load = new MeasuredLoad(() => nowMs);
    expect(load.timeTurn()).toBeNull();
    nowMs += 20;
    expect(load.timeTurn()).toBeNull();
    nowMs += 200;
    const turn = load.timeTurn();
    expect(turn).toMatchObject({ requests: 3, elapsedMs: 220 });
    expect(turn?.coreShare).toBeGreaterThan(0);
    expect(load.take().longestTurnMs).toBe(220);
  });

  it('starts no timer: nothing but a request makes it measure turns', async () => {
    const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const before = timers();
    const load = new MeasuredLoad();
    load.timeTurn();
    expect(timers()).toBe(before);
    await delay(1);
  });
});
