import { describe, expect, it } from '@jest/globals';
import { settled } from '../../../test/support/clock/settled.js';
import { connectionHarness, lost } from '../../../test/support/agent/connection.harness.js';

describe('a node whose computer was suspended', () => {
  it('reconnects at once while its old link still seems open', async () => {
    const { connect, manager: connection, links } = connectionHarness();
    const before = await connect();
    connection.resumed();
    await settled();
    expect([links.length, before.unanswered, before.closed]).toEqual([2, true, false]);
    expect(connection.connected).toBe(true);
  });

  it('drops a silent old link once the new one is ready', async () => {
    const { connect, manager: connection, links, standing, log } = connectionHarness();
    const before = await connect();
    before.openStreams = 1;
    connection.resumed();
    await settled();
    links[1]!.events.onReady();
    expect(before.closed).toBe(true);
    expect(standing()).toEqual([links[1]]);
    // The node was never without a link.
    expect(log).toEqual(['connected', 'connected']);
  });

  it('lets a responsive old link finish its requests', async () => {
    const { connect, manager: connection, links } = connectionHarness();
    const before = await connect();
    before.openStreams = 1;
    connection.resumed();
    before.unanswered = false;
    await settled();
    links[1]!.events.onReady();
    connection.tick();
    expect(before.closed).toBe(false);
    before.openStreams = 0;
    connection.tick();
    expect(before.closed).toBe(true);
  });

  it('keeps a working old link when no new one can be opened', async () => {
    const { connect, manager: connection, failures, clock } = connectionHarness();
    const before = await connect();
    failures.push(lost);
    connection.resumed();
    await settled();
    expect([before.closed, connection.connected, clock.nextTimerInMs]).toEqual([false, true, 500]);
  });

  it('cuts its back-off short and resets it', async () => {
    const { manager: connection, failures, clock } = connectionHarness();
    failures.push(...Array.from({ length: 9 }, () => lost));
    connection.start();
    await settled();
    for (let attempt = 0; attempt < 7; attempt += 1) await clock.advanceAndSettle(clock.nextTimerInMs!);
    expect(clock.nextTimerInMs).toBe(30_000);
    connection.resumed();
    await settled();
    expect([failures.length, clock.nextTimerInMs]).toEqual([0, 500]);
  });

  it('a node whose computer was suspended does not wait for an earlier attempt', async () => {
    const { manager: connection, links, standing } = connectionHarness();
    connection.start();
    await settled();
    connection.resumed();
    await settled();
    expect(links[0]!.closed).toBe(true);
    links[0]!.events.onReady();
    expect(connection.connected).toBe(false);
    links[1]!.events.onReady();
    expect([connection.connected, standing()]).toEqual([true, [links[1]]]);
  });

  it('reconnects at most every five seconds while the clock keeps jumping', async () => {
    const { connect, manager: connection, links, clock } = connectionHarness();
    await connect();
    for (let second = 0; second < 20; second += 1) {
      connection.resumed();
      await settled();
      links.at(-1)!.events.onReady();
      await clock.advanceAndSettle(1_000);
    }
    expect(links.length).toBeGreaterThanOrEqual(5);
    expect(links.length).toBeLessThanOrEqual(10);
    expect(connection.connected).toBe(true);
  });

  it('still yields to another process with its identity', async () => {
    const { connect, manager: connection, links, clock } = connectionHarness();
    const before = await connect();
    before.die({ kind: 'superseded' });
    const waitMs = clock.nextTimerInMs;
    connection.resumed();
    await settled();
    expect([links.length, clock.nextTimerInMs]).toEqual([1, waitMs]);
  });

  it('stays disconnected when stopped', async () => {
    const { connect, manager: connection, links } = connectionHarness();
    await connect();
    connection.stop();
    connection.resumed();
    await settled();
    expect(links).toHaveLength(1);
  });
});
