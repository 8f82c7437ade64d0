/**
 * What it costs to pass a request on: five relays, nodes with links to three of them, and the same load spread over these three, and over
 * the other two. One relay alone would do more with each wake-up of its process than three, which has nothing to do with passing on.
 */
import { eventually } from '../../test/support/clock/eventually.js';
import { NodeFleet } from '../../test/support/replicas/node-fleet.js';
import { measureCosts, type Costs } from './loads.js';
import { linksTo, RelaySet, serves } from './relay-set.js';

const RELAYS = 5;
const HOMES = 3;
const NODES = 3;
const READY_WITHIN_MS = 30_000;

export async function hopCost(engine: { readonly url: string; readonly pid: number }): Promise<Costs> {
  const set = await RelaySet.start(RELAYS, HOMES);
  try {
    const fleet = await NodeFleet.start(set.first, engine.url, NODES);
    try {
      const [homes, others] = [set.relays.slice(0, HOMES), set.relays.slice(HOMES)];
      for (const relay of set.relays)
        await eventually(`${relay.baseUrl} serves the nodes`, () => serves(relay), READY_WITHIN_MS);
      const linked = (): boolean => homes.every((relay) => linksTo(relay, fleet) >= NODES);
      await eventually('the nodes have all links', linked, READY_WITHIN_MS);
      if (others.some((relay) => linksTo(relay, fleet) > 0)) throw new Error('a node has a link to the wrong relay');
      return await measureCosts({ local: { set, relays: homes }, passedOn: { set, relays: others } }, engine.pid);
    } finally {
      await fleet.stop();
    }
  } finally {
    await set.stop();
  }
}
