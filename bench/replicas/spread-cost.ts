/**
 * Load at one relay, at two and at three, of which each has a link to each node: the same in total, or the same at each relay. Beside them,
 * relays that know nothing of each other get the same: several processes in turn on one core cost more than one, replicas or not.
 */
import { eventually } from '../../test/support/clock/eventually.js';
import { NodeFleet } from '../../test/support/replicas/node-fleet.js';
import type { TestRelay } from '../../test/support/process/test-relay.js';
import { measureCosts, type Costs, type LoadOf, type Place } from './loads.js';
import { linksTo, RelaySet, serves } from './relay-set.js';

const SEVERAL = [2, 3];
const NODES = 3;
const READY_WITHIN_MS = 30_000;

interface Engine {
  readonly url: string;
  readonly pid: number;
}

export async function spreadCost(engine: Engine, loadOf: LoadOf): Promise<Costs> {
  const places: Record<string, Place> = {};
  const stops: (() => Promise<void>)[] = [];
  const place = async (name: string, set: RelaySet, joined: readonly TestRelay[]): Promise<void> => {
    stops.push(set.stop);
    set.pin();
    for (const relay of joined) {
      const fleet = await NodeFleet.start(relay, engine.url, NODES);
      stops.push(() => fleet.stop());
      for (const linked of joined.length === 1 ? set.relays : [relay])
        await eventually(
          `${linked.baseUrl} has links to all nodes`,
          async () => (await serves(linked)) && linksTo(linked, fleet) >= NODES,
          READY_WITHIN_MS,
        );
    }
    places[name] = { set, relays: set.relays };
  };
  try {
    const one = await RelaySet.start(1);
    await place('1', one, one.relays);
    for (const size of SEVERAL) {
      const replicas = await RelaySet.start(size);
      await place(`${size}`, replicas, [replicas.first]);
      const apart = await RelaySet.startApart(size);
      await place(`${size} apart`, apart, apart.relays);
    }
    return await measureCosts(places, engine.pid, loadOf);
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}
