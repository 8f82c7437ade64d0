import type { ManagementApi } from '../../core/api/management-api.js';
import { formatBytes } from '../../core/output/quantities.js';
import type { Mark } from '../../core/output/table.js';
import type { Schemas } from '../../core/api/management-api.types.js';

export const nodesWithModels = (api: ManagementApi): Promise<readonly Schemas['Node'][]> => api.list('/api/nodes');

/** The most useful state comes first. */
const states = ['loaded', 'loading', 'unloading', 'failed', 'installed'];

const rank = ({ state, reason }: Schemas['NodeModel']): number => states.indexOf(state) + (reason ? 0.5 : 0);

/** For people, with the reason why the model is not loaded. */
export const stateText = ({ state, reason }: Pick<Schemas['NodeModel'], 'state' | 'reason'>): string =>
  reason ? `${state} (${reason.replaceAll('_', ' ')})` : state;

export const sizeText = ({ size_bytes: size }: Pick<Schemas['NodeModel'], 'size_bytes'>): string =>
  size === null ? '' : formatBytes(size);

/** Counts tokens, not bytes. */
export const contextText = ({ context_length: tokens }: Pick<Schemas['NodeModel'], 'context_length'>): string =>
  tokens === null ? '' : String(tokens);

export function markOfModel({ state, reason }: Pick<Schemas['NodeModel'], 'state' | 'reason'>): Mark {
  switch (state) {
    case 'loaded':
      return reason ? 'attention' : 'serving';
    case 'loading':
    case 'unloading':
      return 'working';
    case 'failed':
      return 'failed';
    // Installed, or a state that a newer relay knows.
    default:
      return 'off';
  }
}

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

/** A model as JSON has it: the inventory says whether it is loaded, the nodes everything else. */
export function withState(
  model: Schemas['Model'],
  nodes: readonly Schemas['Node'][],
): Schemas['Model'] & ReturnType<typeof summarize> {
  const placed = nodes.flatMap(({ models }) => models.filter(({ selector }) => selector === model.selector));
  const { state, reason, ...sizes } = summarize(placed);
  return {
    ...model,
    state: model.loaded ? 'loaded' : state === 'loaded' ? 'installed' : state,
    reason: model.loaded ? null : reason,
    ...sizes,
  };
}

const largest = (values: readonly (number | null)[]): number | null =>
  values.reduce((known, value) => (known === null || (value !== null && value > known) ? value : known), null);
