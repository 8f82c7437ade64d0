/** How the facts of a computer fill their grid, so that it has no empty cells, on a phone in two columns neither. */
import type { Node } from '../../components/node-facts';

interface FactGrid {
  readonly columns: 3 | 4;
  /** Whether the time of joining is in it, or among the facts that unfold. */
  readonly hasJoined: boolean;
}

/** System, cluster, slots, memory, round trip and service. */
const ALWAYS = 6;

export function gridOf({ online, engines, gpus }: Pick<Node, 'online' | 'engines' | 'gpus'>): FactGrid {
  if (!online) return { columns: 4, hasJoined: true };
  // Several of a kind have a line of their own.
  const cells = ALWAYS + Number(engines.length <= 1) + Number(gpus.length === 1);
  return { columns: cells === ALWAYS ? 3 : 4, hasJoined: cells === ALWAYS + 1 };
}
