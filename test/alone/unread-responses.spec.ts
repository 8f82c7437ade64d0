// Own relay: its memory is measured.
/** Clients that never read from an engine that writes fast: their cost for the node, the relay and another stream of the node. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { UnreadCrowd } from '../support/client/unread-crowd.js';

const CLIENTS = 50;
/** Several times as long as the buffers between engine and client take to fill. */
const STAY_MS = 8_000;
/**
 * A coarse limit: resident memory without the young generation, but including uncollected garbage, which is up to 70 MiB on Node 24.
 * The limits of live memory below find what is retained too long.
 */
const GROWTH_MIB = 130;
/** In use while the clients are connected: 3 to 4 MiB. Finds a batch or text that is retained too long, whenever V8 collects. */
const LIVE_HELD_MIB = 6;
const LIVE_KEPT_MIB = 8;

describe('clients that never read', () => {
  let crowd: UnreadCrowd;

  beforeAll(async () => {
    crowd = await UnreadCrowd.start(CLIENTS + 20);
  }, 60_000);

  afterAll(() => crowd.stop(), 30_000);

  it('clients that never read use bounded memory in node and relay, and at most double the time of another stream', async () => {
    const figures = await crowd.measure(CLIENTS, STAY_MS);
    process.stderr.write(`${CLIENTS} clients that never read: ${JSON.stringify(figures)}\n`);
    expect(figures.nodeGrownMib).toBeLessThan(GROWTH_MIB);
    expect(figures.relayGrownMib).toBeLessThan(GROWTH_MIB);
    expect(figures.nodeLiveHeldMib).toBeLessThan(LIVE_HELD_MIB);
    expect(figures.nodeLiveKeptMib).toBeLessThan(LIVE_KEPT_MIB);
    expect(figures.neighbourAddedMs).toBeLessThan(figures.neighbourAloneMs);
  }, 60_000);
});
