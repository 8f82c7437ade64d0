/** One row per model and cluster, made of what each computer reports. */
import type { Schemas } from '../../api/management-api.types';
import { isLive, needsAttention, type Operation } from '../../api/operation-state';
import {
  fitOfPlace,
  placer,
  placeState,
  rankOfPlace,
  rankOfState,
  type Placement,
} from '../../components/model-actions/placement';
import { fitOrder } from '../../components/fits';
import { isLoadable, type Node, type NodeModel, type StateInWords } from '../../components/node-facts';

export interface ModelRow {
  readonly key: string;
  readonly selector: string;
  /** What requests may call it. */
  readonly id: string;
  readonly name: string;
  readonly clusterId: string;
  readonly cluster: string;
  /** The best one first. */
  readonly placements: readonly Placement[];
  /** Of the best of its placements. */
  readonly state: StateInWords;
}

interface Sources {
  readonly nodes: readonly Node[];
  readonly models: readonly Schemas['Model'][];
  readonly clusters: readonly Schemas['Cluster'][];
  readonly operations: readonly Operation[];
}

/** Loaded ones first. */
export const rankOfRow = ({ state }: ModelRow): number => rankOfState(state);

export function modelRows({ nodes, models, clusters, operations }: Sources): readonly ModelRow[] {
  const ids = new Map(models.map(({ selector, id }) => [selector, id]));
  const clusterNames = new Map(clusters.map(({ cluster_id, name }) => [cluster_id, name]));
  const placeOf = placer(operations);
  const groups = new Map<string, { readonly clusterId: string; readonly placements: Placement[] }>();
  for (const node of nodes) {
    for (const model of node.models) {
      const key = `${model.selector} ${node.cluster_id}`;
      const group = groups.get(key) ?? { clusterId: node.cluster_id, placements: [] };
      group.placements.push(placeOf(node, model));
      groups.set(key, group);
    }
  }
  const rows = [...groups].flatMap(([key, { clusterId, ...group }]): ModelRow[] => {
    const placements = group.placements.toSorted((one, other) => rankOfPlace(one) - rankOfPlace(other));
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
        state: placeState(first),
      },
    ];
  });
  return rows.sort((one, other) => names.compare(one.name, other.name));
}

/** As tables sort: rows of one state stay in this order. */
const names = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

export type Show = '' | 'loaded' | 'installed' | 'problem';

const isTroubled = (place: Placement): boolean =>
  placeState(place).state === 'failed' || place.model.reason !== null || place.model.health !== 'healthy';

export function isShown({ placements }: ModelRow, show: Show): boolean {
  switch (show) {
    case 'loaded':
      return placements.some(({ model }) => model.state === 'loaded' && model.reason === null);
    case 'installed':
      return placements.some(({ model }) => isLoadable(model));
    case 'problem':
      return placements.some(isTroubled);
    case '':
      return true;
  }
}

export const loadedPlaces = ({ placements }: ModelRow): readonly Placement[] =>
  placements.filter(({ model, operation }) => model.state === 'loaded' && model.reason === null && !operation);

/** Where it can be loaded now, the computers with the most room first, and those on which that has failed last. */
export const loadablePlaces = ({ placements }: ModelRow): readonly Placement[] =>
  placements
    .filter(({ model, operation }) => isLoadable(model) && operation === undefined)
    .map((place) => ({
      place,
      rank: fitOrder.indexOf(fitOfPlace(place).fit),
      failed: Number(place.failure !== undefined),
    }))
    .sort((one, other) => one.failed - other.failed || one.rank - other.rank)
    .map(({ place }) => place);

/** On different computers. */
export const canLoadAndUnload = (row: ModelRow): boolean =>
  loadedPlaces(row).length > 0 && loadablePlaces(row).length > 0;

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
