/**
 * The layers of the code, low to high. A folder may import from itself and from the folders that it lists, and from nothing else.
 * `docs/internals/architecture.md` explains them; `npm run check:cycles` refuses every other import, type imports included, and
 * `test/unit/layers.spec.ts` proves it.
 */
const foundation = ['kernel', 'link', 'dialects'];
const platform = [...foundation, 'relay/platform'];
/** Users, keys and clusters: the rows that belong to an account, and the trail of changes to them. */
const tenant = [...platform, 'relay/accounts', 'relay/keys', 'relay/clusters'];

export const layers = {
  kernel: [],
  link: ['kernel'],
  dialects: ['kernel'],

  'relay/platform': foundation,
  /** All accounts at once, for the person who runs the relay: nothing under `/api`. */
  'relay/backup': platform,
  'relay/openapi': [...platform, 'relay/extensions'],
  /** Files and pages only: what the website shows comes from `/api`, like for any other client. */
  'relay/website': [...platform, 'relay/openapi'],
  /** The bus between relays: below every feature that tells other replicas something. */
  'relay/replicas': platform,
  /** With the export of one account, which is written like a backup. */
  'relay/accounts': [...platform, 'relay/backup'],
  /** What an account's owner has added to the public API: the guard and the routes ask it. */
  'relay/extensions': [...platform, 'relay/accounts'],
  'relay/keys': [...platform, 'relay/accounts'],
  'relay/clusters': [...platform, 'relay/accounts'],
  'relay/usage': [...platform, 'relay/keys'],
  'relay/auth': [...tenant, 'relay/extensions'],
  'relay/nodes': tenant,
  /** Which nodes other replicas have. */
  'relay/replicas/presence': [...platform, 'relay/replicas', 'relay/nodes'],
  'relay/inventory': [...tenant, 'relay/auth', 'relay/nodes'],
  'relay/operations': [...tenant, 'relay/nodes', 'relay/inventory'],
  'relay/usage/overview': [...tenant, 'relay/usage', 'relay/nodes'],
  /** With the requests for nodes of other replicas, in both directions. */
  'relay/routing': [
    ...tenant,
    'relay/usage',
    'relay/replicas',
    'relay/nodes',
    'relay/replicas/presence',
    'relay/inventory',
  ],
  'relay/protocols': [...tenant, 'relay/extensions', 'relay/auth', 'relay/inventory', 'relay/routing'],
  /** What is going on in the account, for the website: above the features that it tells of. */
  'relay/events': [...tenant, 'relay/replicas', 'relay/nodes', 'relay/inventory', 'relay/operations'],
  /** The program and its module: the only folder that knows every feature of the relay. */
  'relay/app': [
    ...tenant,
    'relay/extensions',
    'relay/usage',
    'relay/usage/overview',
    'relay/auth',
    'relay/replicas',
    'relay/replicas/presence',
    'relay/nodes',
    'relay/inventory',
    'relay/operations',
    'relay/routing',
    'relay/protocols',
    'relay/events',
    'relay/backup',
    'relay/openapi',
    'relay/website',
  ],
  agent: foundation,
  /**
   * The command line starts relay and agent through dynamic imports of their entry points only. Backups and accounts are read from the
   * database without a relay.
   */
  cli: ['kernel', 'relay/app', 'relay/backup', 'relay/accounts', 'agent'],
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
