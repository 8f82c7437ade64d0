/** One row per model and cluster, made of what each computer reports. */
import type { Schemas } from '../../api/management-api.types';
import { modelState, type Node, type NodeModel, type StateInWords } from '../../components/node-facts';
import { isLive, needsAttention, type Operation } from '../../api/operation-state';
import { failedWords } from '../../components/operation-words';

/** A model in one engine of one computer. */
export interface Placement {
  readonly node: Node;
  readonly model: NodeModel;
  readonly operation: Operation | undefined;
  /** The last thing that was tried with it has failed, and nobody has dismissed that. */
  readonly failure: Operation | undefined;
}

export interface ModelRow {
  readonly key: string;
  readonly selector: string;
  /** What requests may call it. */
  readonly id: string;
  readonly name: string;
  readonly clusterId: string;
  readonly cluster: string;
  readonly placements: readonly Placement[];
  /** The best of its placements. */
  readonly state: StateInWords;
}

interface Sources {
  readonly nodes: readonly Node[];
  readonly models: readonly Schemas['Model'][];
  readonly clusters: readonly Schemas['Cluster'][];
  readonly operations: readonly Operation[];
}

/** Loaded on one computer is what counts for requests; trouble shows only where nothing better is. */
const order = ['serving', 'working', 'failed', 'attention', 'off'] as const;

export function modelRows({ nodes, models, clusters, operations }: Sources): readonly ModelRow[] {
  const ids = new Map(models.map(({ selector, id }) => [selector, id]));
  const clusterNames = new Map(clusters.map(({ cluster_id, name }) => [cluster_id, name]));
  const running = byPlace(operations.filter(isLive));
  const failures = byPlace(operations.filter((operation) => needsAttention(operation)));
  const groups = new Map<string, { readonly clusterId: string; readonly placements: Placement[] }>();
  for (const node of nodes) {
    for (const model of node.models) {
      const key = `${model.selector} ${node.cluster_id}`;
      const group = groups.get(key) ?? { clusterId: node.cluster_id, placements: [] };
      const place = `${node.node_id} ${model.key}`;
      group.placements.push({ node, model, operation: running.get(place), failure: failures.get(place) });
      groups.set(key, group);
    }
  }
  return [...groups].flatMap(([key, { clusterId, placements }]) => {
    const [first] = placements;
    if (first === undefined) return [];
    const { selector, display_name: name } = first.model;
    return [
      {
        key,
        selector,
        id: ids.get(selector) ?? selector,
        name,
        clusterId,
        cluster: clusterNames.get(clusterId) ?? clusterId,
        placements,
        state: bestState(placements),
      },
    ];
  });
}

/** Newest first is the order of the relay, and the newest counts. */
const byPlace = (operations: readonly Operation[]): ReadonlyMap<string, Operation> =>
  new Map(
    operations
      .toReversed()
      .map((operation) => [`${operation.node_id} ${operation.model_key ?? ''}`, operation] as const),
  );

/** A model that is loaded serves, whatever else has failed with it. */
export function placeState({ model, failure }: Placement): StateInWords {
  const state = modelState(model);
  return failure === undefined || state.state === 'serving' ? state : { state: 'failed', label: failedWords(failure) };
}

function bestState(placements: readonly Placement[]): StateInWords {
  const states = placements.map(placeState);
  return states.reduce((best, next) => (order.indexOf(next.state) < order.indexOf(best.state) ? next : best));
}

/** Installs whose model is not in the inventory: they run, or have failed. */
export const openInstalls = (operations: readonly Operation[]): readonly Operation[] =>
  operations.filter((operation) => operation.kind === 'install' && (isLive(operation) || needsAttention(operation)));

/** Of the first placement that knows it: all of them are the same model. */
export function known<Value>(row: ModelRow, read: (model: NodeModel) => Value | null): Value | null {
  for (const { model } of row.placements) {
    const value = read(model);
    if (value !== null) return value;
  }
  return null;
}

export function capabilities(row: ModelRow): readonly string[] {
  const inputs = new Set(row.placements.flatMap(({ model }) => model.inputs));
  return [
    ...(row.placements.some(({ model }) => model.embedding) ? ['embedding'] : []),
    ...(inputs.has('image') ? ['vision'] : []),
    ...(inputs.has('audio') ? ['audio'] : []),
    ...(row.placements.some(({ model }) => model.tools === true) ? ['tools'] : []),
    ...(row.placements.some(({ model }) => model.reasoning === true) ? ['thinking'] : []),
  ];
}
