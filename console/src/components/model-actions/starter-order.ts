import type { Schemas } from '../../api/management-api.types';
import { fitOrder, type ComputerMemory } from '../fits';
import { fitOf } from '../node-facts';

export type Starter = Schemas['StarterModel'];

const MOST_SHOWN = 6;
const MOST_EMBEDDING = 2;

/** Of which it is known where its engines compute. */
export interface StarterComputer extends ComputerMemory {
  readonly engines?: readonly { readonly name: string; readonly kind: string }[];
}

/** Larger ones answer a few tokens per second without a graphics processor. */
const SLOW_FROM_BYTES = 3_000_000_000;

/** It would be computed by the processor, and is too large for that to be fast. What was measured there says more. */
export function isSlowOn(
  { engines, gpus }: StarterComputer,
  { engine, size_bytes, tokens_per_second }: Starter,
): boolean {
  const isBuiltIn = engines?.find(({ name }) => name === engine)?.kind === 'llamacpp';
  const hasGpu = (gpus ?? []).some(({ backend }) => backend != null);
  return isBuiltIn && !hasGpu && tokens_per_second === null && size_bytes >= SLOW_FROM_BYTES;
}

/**
 * What fits now comes first, and of it the largest, which answer best; those that would be slow follow, the smallest of them first. What does not
 * fit is left out. Those that embed come last: they do not chat.
 */
export function ofShelf(starters: readonly Starter[], computer: StarterComputer): readonly Starter[] {
  const ordered = starters
    .map((starter) => ({
      starter,
      rank: fitOrder.indexOf(fitOf(starter.size_bytes, computer).fit),
      isSlow: isSlowOn(computer, starter),
    }))
    .filter(({ rank }) => rank !== fitOrder.indexOf('does_not_fit'))
    .sort(
      (one, other) =>
        one.rank - other.rank ||
        Number(one.isSlow) - Number(other.isSlow) ||
        (other.starter.size_bytes - one.starter.size_bytes) * (one.isSlow ? -1 : 1),
    )
    .map(({ starter }) => starter);
  const embedding = ordered.filter((starter) => starter.embedding).slice(0, MOST_EMBEDDING);
  return [...ordered.filter((starter) => !starter.embedding).slice(0, MOST_SHOWN), ...embedding];
}
