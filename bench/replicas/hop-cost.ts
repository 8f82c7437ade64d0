/**
 * What it costs to pass a request on: five relays, nodes with links to three of them, and the same load at a relay with a link and at one
 * without.
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
    const fleet = await NodeFleet.start(set.home, engine.url, NODES);
    try {
      const elsewhere = set.at(HOMES);
      await eventually('the other relay serves the nodes', () => serves(elsewhere), READY_WITHIN_MS);
      const homes = set.relays.slice(0, HOMES);
      await eventually(
        'the nodes have all links',
        () => homes.every((relay) => linksTo(relay, fleet) >= NODES),
        10_000,
      );
      if (linksTo(elsewhere, fleet) > 0) throw new Error('a node has a link to the relay that should have none');
      return await measureCosts(
        // Each of the homes passes some of the answers back.
        { local: [set.target(set.home)], passedOn: [set.target(elsewhere, [elsewhere, ...homes])] },
        engine.pid,
      );
    } finally {
      await fleet.stop();
    }
  } finally {
    await set.stop();
  }
}
