import type { Schemas } from '../../api/management-api.types';
import { fitOrder, type ComputerMemory } from '../fits';
import { fitOf } from '../node-facts';

export type Starter = Schemas['StarterModel'];

const MOST_SHOWN = 6;
const MOST_EMBEDDING = 2;

/**
 * What fits now comes first, and of it the largest, which answer best. What does not fit is left out. Those that embed come last: they do not
 * chat.
 */
export function ofShelf(starters: readonly Starter[], computer: ComputerMemory): readonly Starter[] {
  const ordered = starters
    .map((starter) => ({ starter, fit: fitOf(starter.size_bytes, computer).fit }))
    .filter(({ fit }) => fit !== 'does_not_fit')
    .sort(
      (one, other) =>
        fitOrder.indexOf(one.fit) - fitOrder.indexOf(other.fit) || other.starter.size_bytes - one.starter.size_bytes,
    )
    .map(({ starter }) => starter);
  const embedding = ordered.filter((starter) => starter.embedding).slice(0, MOST_EMBEDDING);
  return [...ordered.filter((starter) => !starter.embedding).slice(0, MOST_SHOWN), ...embedding];
}
