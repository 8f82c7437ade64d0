/** What the palette can do, and which of it matches what was typed. */
import type { Schemas } from '../api/management-api.types';
import type { RecentObject } from './recent-list';
import { isRequestId, requestIdPart } from '../components/request-id';

interface GoEffect {
  readonly kind: 'go';
  readonly to: string;
  readonly search?: Readonly<Record<string, string>>;
}

export type PaletteEffect =
  | GoEffect
  | { readonly kind: 'copy'; readonly text: string }
  | { readonly kind: 'operations' }
  | { readonly kind: 'cluster'; readonly clusterId: string | undefined };

export interface PaletteAction {
  readonly id: string;
  readonly group: 'Recent' | 'Do' | 'Go to' | 'Computers' | 'Models' | 'Requests' | 'Clusters';
  /** Its icon; of pages and commands by their ids. */
  readonly kind: 'page' | 'command' | 'computer' | 'model' | 'request' | 'cluster' | 'copy';
  readonly label: string;
  /** In small letters beside it; searched, too. */
  readonly note?: string;
  readonly effect: PaletteEffect;
}

export interface PaletteData {
  readonly pages: readonly { readonly to: string; readonly label: string }[];
  readonly nodes: readonly Pick<Schemas['Node'], 'node_id' | 'name' | 'online'>[];
  readonly models: readonly Pick<Schemas['Model'], 'id' | 'selector' | 'display_name' | 'loaded'>[];
  readonly clusters: readonly Pick<Schemas['Cluster'], 'cluster_id' | 'name'>[];
}

const commands: readonly PaletteAction[] = [
  {
    id: 'add',
    group: 'Do',
    kind: 'command',
    label: 'Add a computer',
    effect: { kind: 'go', to: '/computers', search: { add: '1' } },
  },
  {
    id: 'key',
    group: 'Do',
    kind: 'command',
    label: 'Create an API key',
    effect: { kind: 'go', to: '/keys', search: { create: '1' } },
  },
  {
    id: 'install',
    group: 'Do',
    kind: 'command',
    label: 'Install a model',
    effect: { kind: 'go', to: '/models', search: { install: '1' } },
  },
  {
    id: 'invite',
    group: 'Do',
    kind: 'command',
    label: 'Invite somebody',
    effect: { kind: 'go', to: '/settings/members', search: { invite: '1' } },
  },
  { id: 'operations', group: 'Do', kind: 'command', label: 'Operations', effect: { kind: 'operations' } },
];

const kindNames: Readonly<Record<RecentObject['kind'], string>> = {
  computer: 'Computer',
  model: 'Model',
  request: 'Request',
};

/** Characters of the end of a request id that are shown, by which it can be found, too. */
const ID_END = 6;

interface Known {
  /** undefined: not fetched yet. */
  readonly nodes: PaletteData['nodes'] | undefined;
  readonly models: PaletteData['models'] | undefined;
}

/**
 * What was visited last, by its name of today. Computers and models that are gone are left out.
 * @param here path of the page that is shown, which need not be offered
 */
export function recentActions(
  recent: readonly RecentObject[],
  { nodes, models }: Known,
  here: string,
): readonly PaletteAction[] {
  return recent.flatMap(({ kind, id, name }): PaletteAction[] => {
    const action = (label: string | undefined, effect: GoEffect): PaletteAction[] =>
      label === undefined || effect.to === here
        ? []
        : [{ id: `recent ${kind} ${id}`, group: 'Recent', kind, label, note: kindNames[kind], effect }];
    switch (kind) {
      case 'computer': {
        const today = nodes === undefined ? name : nodes.find(({ node_id }) => node_id === id)?.name;
        return action(today, { kind: 'go', to: `/computers/${id}` });
      }
      case 'model': {
        const today = models === undefined ? name : models.find(({ selector }) => selector === id)?.display_name;
        return action(today, { kind: 'go', to: '/models', search: { q: today ?? name } });
      }
      case 'request':
        return action(`${name} · …${id.slice(-ID_END)}`, { kind: 'go', to: `/requests/${id}` });
    }
  });
}

/** A request is not in memory: its id is looked up where it leads. */
function requestActions(query: string): readonly PaletteAction[] {
  const part = requestIdPart(query);
  if (part === null) return [];
  const effect: PaletteEffect = isRequestId(part)
    ? { kind: 'go', to: `/requests/${part}` }
    : { kind: 'go', to: '/requests', search: { request_id: part } };
  return [{ id: `request ${part}`, group: 'Requests', kind: 'request', label: `Find request ${part}`, effect }];
}

export function paletteActions({ pages, nodes, models, clusters }: PaletteData): readonly PaletteAction[] {
  return [
    ...commands,
    ...pages.map(({ to, label }): PaletteAction => ({
      id: `go ${to}`,
      group: 'Go to',
      kind: 'page',
      label,
      effect: { kind: 'go', to },
    })),
    ...nodes.map(({ node_id, name, online }): PaletteAction => ({
      id: `node ${node_id}`,
      group: 'Computers',
      kind: 'computer',
      label: name,
      note: online ? 'online' : 'offline',
      effect: { kind: 'go', to: `/computers/${node_id}` },
    })),
    ...models.flatMap(modelActions),
    ...(clusters.length > 1 ? [undefined, ...clusters] : []).map((cluster): PaletteAction => ({
      id: `cluster ${cluster?.cluster_id ?? ''}`,
      group: 'Clusters',
      kind: 'cluster',
      label: `Show ${cluster?.name ?? 'all clusters'}`,
      effect: { kind: 'cluster', clusterId: cluster?.cluster_id },
    })),
  ];
}

function modelActions({ id, selector, display_name, loaded }: PaletteData['models'][number]): readonly PaletteAction[] {
  const use: PaletteAction = loaded
    ? {
        id: `chat ${selector}`,
        group: 'Models',
        kind: 'model',
        label: `Chat with ${display_name}`,
        effect: { kind: 'go', to: '/chat', search: { model: selector } },
      }
    : {
        id: `load ${selector}`,
        group: 'Models',
        kind: 'model',
        label: `Load ${display_name}`,
        effect: { kind: 'go', to: '/models', search: { load: selector } },
      };
  return [
    use,
    {
      id: `copy ${selector}`,
      group: 'Models',
      kind: 'copy',
      label: `Copy id of ${display_name}`,
      note: id,
      effect: { kind: 'copy', text: id },
    },
  ];
}

/** More would not be read, and there may be a thousand models. */
const MOST_SHOWN = 40;

/** What the palette offers before anything is typed, by group. The ids of models are for those who search them. */
const beforeTyping = [
  ['Recent', Infinity],
  ['Do', Infinity],
  ['Go to', Infinity],
  ['Computers', 4],
  ['Models', 4],
] as const;

const inGroup = (actions: readonly PaletteAction[], wanted: PaletteAction['group']): readonly PaletteAction[] => {
  const found = actions.filter(({ group, effect }) => group === wanted && effect.kind !== 'copy');
  // Loaded models, with which one can chat, before those that have to be loaded.
  const isReady = ({ effect }: PaletteAction): boolean => effect.kind === 'go' && effect.to !== '/models';
  return wanted === 'Models' ? [...found.filter(isReady), ...found.filter((action) => !isReady(action))] : found;
};

/** Actions with every typed word; those whose label begins with the first come first. @param recent of `recentActions` */
export function matchActions(
  actions: readonly PaletteAction[],
  query: string,
  recent: readonly PaletteAction[] = [],
): readonly PaletteAction[] {
  const words = query.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const [first] = words;
  if (first === undefined) {
    const visited = new Set(recent.map(({ kind, label }) => `${kind} ${label}`));
    const offered = [...recent, ...actions.filter(({ kind, label }) => !visited.has(`${kind} ${label}`))];
    return beforeTyping.flatMap(([group, most]) => inGroup(offered, group).slice(0, most));
  }
  const found = actions.filter(({ label, note = '', group }) => {
    const text = `${label} ${note} ${group}`.toLocaleLowerCase();
    return words.every((word) => text.includes(word));
  });
  const requests = requestActions(query);
  const leads = ({ label }: PaletteAction): boolean => label.toLocaleLowerCase().startsWith(first);
  return [...found.filter(leads), ...found.filter((action) => !leads(action)), ...requests].slice(0, MOST_SHOWN);
}
