/** Load at one relay, at two and at three, of which each has a link to each node: the same in total, or the same at each relay. */
import { eventually } from '../../test/support/clock/eventually.js';
import { NodeFleet } from '../../test/support/replicas/node-fleet.js';
import { measureCosts, type Costs, type LoadOf, type Place } from './loads.js';
import { linksTo, RelaySet, serves } from './relay-set.js';

const SIZES = [1, 2, 3];
const NODES = 3;
const READY_WITHIN_MS = 30_000;

export async function spreadCost(
  engine: { readonly url: string; readonly pid: number },
  loadOf: LoadOf,
): Promise<Costs> {
  const places: Record<string, Place> = {};
  const stops: (() => Promise<void>)[] = [];
  try {
    for (const size of SIZES) {
      const set = await RelaySet.start(size);
      stops.push(set.stop);
      set.pin();
      const fleet = await NodeFleet.start(set.first, engine.url, NODES);
      stops.push(() => fleet.stop());
      for (const relay of set.relays)
        await eventually(
          `${relay.baseUrl} has links to all nodes`,
          async () => (await serves(relay)) && linksTo(relay, fleet) >= NODES,
          READY_WITHIN_MS,
        );
      places[size] = { set, relays: set.relays };
    }
    return await measureCosts(places, engine.pid, loadOf);
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}
