import type { ManagementApi } from '../../core/api/management-api.js';
import type { Schemas } from '../../core/api/management-api.types.js';

export const nodesWithModels = (api: ManagementApi): Promise<readonly Schemas['Node'][]> =>
  api.list<Schemas['Node']>('/api/nodes');

/** In order of usefulness. */
const states = ['loaded', 'loading', 'unloading', 'failed', 'installed'];

const rank = ({ state, reason }: Schemas['NodeModel']): number => states.indexOf(state) + (reason ? 0.5 : 0);

/** For people, with the reason why the model is not loaded. */
export const stateText = ({ state, reason }: Pick<Schemas['NodeModel'], 'state' | 'reason'>): string =>
  reason ? `${state} (${reason.replaceAll('_', ' ')})` : state;

/** Merges one model on several nodes: the best state and the largest figures, loaded ones first. */
export function summarize(
  models: readonly Schemas['NodeModel'][],
): Pick<Schemas['NodeModel'], 'state' | 'reason' | 'size_bytes' | 'context_length'> {
  const sorted = [...models].sort((left, right) => rank(left) - rank(right));
  const [best] = sorted;
  return {
    state: best?.state ?? 'installed',
    reason: best?.reason ?? null,
    size_bytes: largest(sorted.map(({ size_bytes }) => size_bytes)),
    context_length: best?.context_length ?? largest(sorted.map(({ context_length }) => context_length)),
  };
}

const largest = (values: readonly (number | null)[]): number | null =>
  values.reduce((known, value) => (known === null || (value !== null && value > known) ? value : known), null);
