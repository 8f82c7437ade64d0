import type { ManagementApi } from '../../core/api/management-api.js';
import type { NodeModel } from './model.shape.js';

/** As `GET /api/nodes` has it. */
export interface NodeRecord {
  readonly node_id: string;
  readonly name: string;
  readonly cluster_id: string;
  readonly online: boolean;
  readonly models: readonly NodeModel[];
}

export const nodesWithModels = (api: ManagementApi): Promise<readonly NodeRecord[]> =>
  api.list<NodeRecord>('/api/nodes');

/** In order of usefulness. */
const states = ['loaded', 'loading', 'unloading', 'failed', 'installed'];

const rank = ({ state, reason }: NodeModel): number => states.indexOf(state) + (isPresent(reason) ? 0.5 : 0);

const isPresent = (reason: NodeModel['reason']): reason is string => reason !== undefined && reason !== null;

/** For people, with the reason why the model is not loaded. */
export const stateText = ({ state, reason }: Pick<NodeModel, 'state' | 'reason'>): string =>
  isPresent(reason) ? `${state} (${reason.replaceAll('_', ' ')})` : state;

/** Merges one model on several nodes: the best state and the largest figures, loaded ones first. */
export function summarize(
  models: readonly NodeModel[],
): Pick<NodeModel, 'state' | 'reason' | 'size_bytes' | 'context_length'> {
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
