/**
 * F5 (docs/reference/failures.md#faults) on the node's side: two hundred clients that never read from an engine that writes 2 MB/s to
 * each.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { UnreadCrowd } from '../support/client/unread-crowd.js';
import { printFigures } from './support/repetitions.js';

const CLIENTS = 200;
const STAY_MS = 45_000;
/**
 * Resident memory without the young generation, which grows to 32 MiB on Node 20 and to 128 MiB on Node 24 independent of the number of
 * clients. Uncollected garbage is part of it, and its size depends on the load of the machine: 24 to 96 MiB.
 */
const GROWTH_MIB = 130;
/** After they have disconnected. V8 and the allocator keep pages for later use, so memory in use shows whether everything was released. */
const KEPT_MIB = 80;
/** In use while the clients are connected: 10 to 12 MiB. Finds a batch or text that is retained too long, whenever V8 collects. */
const LIVE_HELD_MIB = 20;
const LIVE_KEPT_MIB = 8;

describe('two hundred clients that never read', () => {
  let crowd: UnreadCrowd;

  beforeAll(async () => {
    crowd = await UnreadCrowd.start(CLIENTS + 20);
  }, 60_000);

  afterAll(() => crowd.stop(), 30_000);

  it('two hundred clients that never read use bounded memory in the node, and at most double the time of another stream', async () => {
    const figures = await crowd.measure(CLIENTS, STAY_MS);
    printFigures('F5 node', { clients: CLIENTS, ...figures, nodeCpuShare: figures.nodeCpuShare.toFixed(2) });
    expect(figures.nodeGrownMib).toBeLessThan(GROWTH_MIB);
    expect(figures.relayGrownMib).toBeLessThan(GROWTH_MIB);
    expect(figures.nodeKeptMib).toBeLessThan(KEPT_MIB);
    expect(figures.nodeLiveHeldMib).toBeLessThan(LIVE_HELD_MIB);
    expect(figures.nodeLiveKeptMib).toBeLessThan(LIVE_KEPT_MIB);
    expect(figures.neighbourAddedMs).toBeLessThan(figures.neighbourAloneMs);
  }, 180_000);
});
