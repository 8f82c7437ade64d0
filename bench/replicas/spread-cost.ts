/** The same load at one relay, and spread over two and over three, of which each has a link to each node. */
import { eventually } from '../../test/support/clock/eventually.js';
import { NodeFleet } from '../../test/support/replicas/node-fleet.js';
import type { RunningTarget } from '../targets/target.js';
import { measureCosts, type Costs } from './loads.js';
import { linksTo, RelaySet, serves } from './relay-set.js';

const SIZES = [1, 2, 3];
const NODES = 3;
const READY_WITHIN_MS = 30_000;

export async function spreadCost(engine: { readonly url: string; readonly pid: number }): Promise<Costs> {
  const places: Record<string, readonly RunningTarget[]> = {};
  const stops: (() => Promise<void>)[] = [];
  try {
    for (const size of SIZES) {
      const set = await RelaySet.start(size);
      stops.push(set.stop);
      const fleet = await NodeFleet.start(set.home, engine.url, NODES);
      stops.push(() => fleet.stop());
      for (const relay of set.relays)
        await eventually(
          `${relay.baseUrl} has links to all nodes`,
          async () => (await serves(relay)) && linksTo(relay, fleet) >= NODES,
          READY_WITHIN_MS,
        );
      places[size] = set.relays.map((relay) => set.target(relay));
    }
    return await measureCosts(places, engine.pid);
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}
