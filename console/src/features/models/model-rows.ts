/** One row per model and cluster, made of what each computer reports. */
import type { Schemas } from '../../api/management-api.types';
import { modelState, type Node, type NodeModel, type StateInWords } from '../../components/node-facts';
import { isLive, type Operation } from '../../api/operation-state';

/** A model in one engine of one computer. */
export interface Placement {
  readonly node: Node;
  readonly model: NodeModel;
  readonly operation: Operation | undefined;
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
  const running = new Map(
    operations.filter(isLive).map((operation) => [`${operation.node_id} ${operation.model_key ?? ''}`, operation]),
  );
  const groups = new Map<string, { readonly clusterId: string; readonly placements: Placement[] }>();
  for (const node of nodes) {
    for (const model of node.models) {
      const key = `${model.selector} ${node.cluster_id}`;
      const group = groups.get(key) ?? { clusterId: node.cluster_id, placements: [] };
      group.placements.push({ node, model, operation: running.get(`${node.node_id} ${model.key}`) });
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

function bestState(placements: readonly Placement[]): StateInWords {
  const states = placements.map(({ model }) => modelState(model));
  return states.reduce((best, next) => (order.indexOf(next.state) < order.indexOf(best.state) ? next : best));
}

/** Installs whose model is not in the inventory yet. */
export const runningInstalls = (operations: readonly Operation[]): readonly Operation[] =>
  operations.filter((operation) => operation.kind === 'install' && isLive(operation));

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
