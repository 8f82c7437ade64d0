/**
 * The floors of the house, low to high. A room may import from its own floor and from those it lists, and from nothing else.
 * `docs/architecture.md` explains them; `test/unit/floors.spec.ts` proves that a forbidden import is a lint error.
 */
const foundation = ['kernel', 'link', 'dialects'];

export const floors = {
  kernel: [],
  link: ['kernel'],
  dialects: ['kernel'],

  'relay/platform': foundation,
  'relay/accounts': [...foundation, 'relay/platform'],
  'relay/keys': [...foundation, 'relay/platform', 'relay/accounts'],
  'relay/clusters': [...foundation, 'relay/platform', 'relay/accounts'],
  'relay/auth': [...foundation, 'relay/platform', 'relay/accounts', 'relay/keys', 'relay/clusters'],
  'relay/nodes': [...foundation, 'relay/platform', 'relay/accounts', 'relay/keys', 'relay/clusters', 'relay/auth'],
  'relay/inventory': [
    ...foundation,
    'relay/platform',
    'relay/accounts',
    'relay/keys',
    'relay/clusters',
    'relay/auth',
    'relay/nodes',
  ],
  'relay/routing': [
    ...foundation,
    'relay/platform',
    'relay/accounts',
    'relay/keys',
    'relay/clusters',
    'relay/auth',
    'relay/nodes',
    'relay/inventory',
  ],
  'relay/protocols': [...foundation, 'relay/platform', 'relay/auth', 'relay/nodes', 'relay/inventory', 'relay/routing'],
  'relay/management': [
    ...foundation,
    'relay/platform',
    'relay/accounts',
    'relay/keys',
    'relay/clusters',
    'relay/auth',
    'relay/nodes',
    'relay/inventory',
    'relay/routing',
  ],
  'relay/health': [...foundation, 'relay/platform', 'relay/auth'],
  'relay/documentation': [...foundation, 'relay/platform', 'relay/auth'],
  /** `main.ts` and `relay.module.ts`: the only files that know every room of the relay. */
  relay: [
    ...foundation,
    'relay/platform',
    'relay/accounts',
    'relay/keys',
    'relay/clusters',
    'relay/auth',
    'relay/nodes',
    'relay/inventory',
    'relay/routing',
    'relay/protocols',
    'relay/management',
    'relay/health',
    'relay/documentation',
  ],
  agent: foundation,
  /** The command line starts relay and agent through dynamic imports of their two entry points only. */
  cli: ['kernel', 'relay', 'agent'],
};
