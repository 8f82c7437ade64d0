/**
 * The layers of the code, low to high. A folder may import from itself and from the folders that it lists, and from nothing else.
 * `docs/internals/architecture.md` explains them; `npm run check:cycles` refuses every other import, type imports included, and
 * `test/unit/layers.spec.ts` proves it.
 */
const foundation = ['kernel', 'link', 'dialects'];
const platform = [...foundation, 'relay/platform'];
/** Below every feature that has a controller under `/api`. */
const api = [...platform, 'relay/limits', 'relay/api'];
/** Users, keys and clusters: the rows that belong to an account, and the trail of changes to them. */
const tenant = [...api, 'relay/audit', 'relay/accounts', 'relay/keys', 'relay/clusters'];

export const layers = {
  kernel: [],
  link: ['kernel'],
  dialects: ['kernel'],

  'relay/platform': foundation,
  'relay/limits': platform,
  /** The bus between relays: below every feature that tells other replicas something. */
  'relay/replicas': platform,
  'relay/api': [...platform, 'relay/limits'],
  'relay/usage': api,
  /** A stream of the relay's own, for `ferry doctor`. */
  'relay/stream-check': api,
  /** Models that are elsewhere: nothing of an account is asked or told. */
  'relay/catalog': api,
  /** Below every feature that changes something: each change is recorded. */
  'relay/audit': api,
  'relay/accounts': [...api, 'relay/audit'],
  'relay/keys': [...api, 'relay/audit', 'relay/accounts'],
  'relay/clusters': [...api, 'relay/audit', 'relay/accounts'],
  'relay/auth': tenant,
  /** The install scripts and the agent's bundle: nothing of an account is reached from here. */
  'relay/installer': platform,
  'relay/nodes': [...tenant, 'relay/installer'],
  /** Which nodes other replicas have. */
  'relay/presence': [...platform, 'relay/replicas', 'relay/nodes'],
  'relay/inventory': [...tenant, 'relay/auth', 'relay/nodes'],
  'relay/operations': [...tenant, 'relay/nodes', 'relay/inventory'],
  'relay/routing': [...tenant, 'relay/usage', 'relay/replicas', 'relay/nodes', 'relay/presence', 'relay/inventory'],
  /** Requests for nodes of other replicas, in both directions. */
  'relay/hop': [
    ...tenant,
    'relay/replicas',
    'relay/nodes',
    'relay/presence',
    'relay/usage',
    'relay/inventory',
    'relay/routing',
  ],
  'relay/protocols': [...platform, 'relay/auth', 'relay/inventory', 'relay/routing'],
  /** What is going on in the account, for the website: above the features that it tells of. */
  'relay/events': [...tenant, 'relay/replicas', 'relay/nodes', 'relay/inventory', 'relay/operations'],
  'relay/overview': [...tenant, 'relay/usage', 'relay/nodes'],
  'relay/session-chat': [...tenant, 'relay/auth', 'relay/protocols'],
  'relay/bootstrap': [...platform, 'relay/accounts', 'relay/clusters', 'relay/keys'],
  /** All accounts at once, for the person who runs the relay: nothing under `/api`. */
  'relay/backup': platform,
  /** One account, for the same person: list, export, delete. */
  'relay/account-data': [...platform, 'relay/backup'],
  'relay/health': [...platform, 'relay/keys'],
  /** Reads the state of the features at a scrape. */
  'relay/metrics': [...platform, 'relay/replicas', 'relay/nodes'],
  'relay/openapi': platform,
  /** Files and pages only: what the website shows comes from `/api`, like for any other client. */
  'relay/website': [...platform, 'relay/openapi'],
  /** `main.ts` and `relay.module.ts`: the only files that know every feature of the relay. */
  relay: [
    ...tenant,
    'relay/usage',
    'relay/catalog',
    'relay/auth',
    'relay/installer',
    'relay/replicas',
    'relay/nodes',
    'relay/presence',
    'relay/inventory',
    'relay/operations',
    'relay/routing',
    'relay/hop',
    'relay/protocols',
    'relay/events',
    'relay/overview',
    'relay/stream-check',
    'relay/session-chat',
    'relay/backup',
    'relay/bootstrap',
    'relay/health',
    'relay/metrics',
    'relay/openapi',
    'relay/website',
  ],
  agent: foundation,
  /**
   * The command line starts relay and agent through dynamic imports of their entry points only. Backups and accounts are read from the
   * database without a relay.
   */
  cli: ['kernel', 'relay', 'relay/backup', 'relay/account-data', 'agent'],
};

/** The website: features build on api, components and layout, and never on each other. What lies above them is free. */
const website = {
  api: [],
  components: ['api'],
  layout: ['api', 'components'],
  features: ['api', 'components', 'layout'],
};

/** The longest layer that holds the file: `relay/keys` must not be taken for `relay`. */
const layerOf = (file) =>
  Object.keys(layers)
    .filter((layer) => file.startsWith(`src/${layer}/`))
    .sort((a, b) => b.length - a.length)[0];

/** Types of `/api`, which every program may have. */
const isGenerated = (file) => file.startsWith('openapi/');

const relayMayImport = (from, to) => {
  if (isGenerated(to)) return true;
  const [source, target] = [layerOf(from), layerOf(to)];
  return source === target || (layers[source]?.includes(target) ?? false);
};

/** `['features', 'keys']` of a file in `console/src/features/keys`; the other folders are one part each. */
const partOf = (file) => file.split('/').slice(2, file.startsWith('console/src/features/') ? 4 : 3);

const websiteMayImport = (from, to) => {
  const [[folder, feature], [target, other]] = [partOf(from), partOf(to)];
  if (!(folder in website) || !(target in website)) return true;
  return folder === target ? feature === other : website[folder].includes(target);
};

/** What is wrong with a module of dependency-cruiser, as lines. */
export function layerProblems({ source, dependencies }) {
  const ours = dependencies.filter(({ module }) => module.startsWith('.'));
  const refused = (mayImport) =>
    ours
      .filter(({ resolved }) => !mayImport(source, resolved))
      .map(({ resolved }) => `layers: ${source} → ${resolved}`);
  if (source.startsWith('console/src/')) return refused(websiteMayImport);
  if (!source.startsWith('src/')) return [];
  return layerOf(source) === undefined ? [`layers: ${source} is in no layer`] : refused(relayMayImport);
}
