/** Clients that never read, of an engine that writes fast: what they cost the node and the relay, and a neighbour on the same node. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { UnreadCrowd } from '../support/client/unread-crowd.js';

const CLIENTS = 50;
const STAY_MS = 15_000;
/**
 * A coarse bound: resident memory without the young generation, but with old garbage between two collections, which is up to 70 MiB on
 * Node 24. The bounds of live memory below find what is held too long.
 */
const GROWTH_MIB = 130;
/** In use while the clients are there: 3 to 4 MiB. A batch or a text that is kept too long is seen here, whenever V8 collects. */
const LIVE_HELD_MIB = 6;
const LIVE_KEPT_MIB = 8;

describe('clients that never read', () => {
  let crowd: UnreadCrowd;

  beforeAll(async () => {
    crowd = await UnreadCrowd.start(CLIENTS + 20);
  }, 60_000);

  afterAll(() => crowd.stop(), 30_000);

  it('use bounded memory in node and relay, and at most double the time of a neighbour', async () => {
    const figures = await crowd.measure(CLIENTS, STAY_MS);
    process.stderr.write(`${CLIENTS} clients that never read: ${JSON.stringify(figures)}\n`);
    expect(figures.nodeGrownMib).toBeLessThan(GROWTH_MIB);
    expect(figures.relayGrownMib).toBeLessThan(GROWTH_MIB);
    expect(figures.nodeLiveHeldMib).toBeLessThan(LIVE_HELD_MIB);
    expect(figures.nodeLiveKeptMib).toBeLessThan(LIVE_KEPT_MIB);
    expect(figures.neighbourAddedMs).toBeLessThan(figures.neighbourAloneMs);
  }, 60_000);
});
