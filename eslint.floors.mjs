/**
 * The floors of the house, low to high. A room may import from its own floor and from those it lists, and from nothing else.
 * `docs/internals/architecture.md` explains them; `test/unit/floors.spec.ts` proves that a forbidden import is a lint error.
 */
const foundation = ['kernel', 'link', 'dialects'];
const platform = [...foundation, 'relay/platform'];
/** What an account is made of. */
const tenant = [...platform, 'relay/accounts', 'relay/keys', 'relay/clusters'];

export const floors = {
  kernel: [],
  link: ['kernel'],
  dialects: ['kernel'],

  'relay/platform': foundation,
  /** Below all that changes something: each change records itself. */
  'relay/audit': platform,
  'relay/accounts': [...platform, 'relay/audit'],
  'relay/keys': [...platform, 'relay/audit', 'relay/accounts'],
  'relay/clusters': [...platform, 'relay/audit', 'relay/accounts'],
  'relay/usage': [...platform, 'relay/accounts'],
  'relay/limits': [...platform, 'relay/accounts', 'relay/keys'],
  'relay/auth': [...tenant, 'relay/audit'],
  'relay/nodes': [...tenant, 'relay/audit', 'relay/auth'],
  'relay/operations': [...tenant, 'relay/audit', 'relay/auth', 'relay/nodes'],
  'relay/inventory': [...tenant, 'relay/auth', 'relay/nodes'],
  'relay/routing': [...tenant, 'relay/limits', 'relay/usage', 'relay/auth', 'relay/nodes', 'relay/inventory'],
  'relay/protocols': [...platform, 'relay/auth', 'relay/nodes', 'relay/inventory', 'relay/routing'],
  'relay/management': [
    ...tenant,
    'relay/audit',
    'relay/usage',
    'relay/limits',
    'relay/auth',
    'relay/nodes',
    'relay/operations',
    'relay/inventory',
    'relay/routing',
    'relay/agent-distribution',
  ],
  /** What makes another computer a node: nothing of the account is reached from here. */
  'relay/agent-distribution': [...platform, 'relay/auth', 'relay/nodes'],
  'relay/health': [...platform, 'relay/auth', 'relay/keys'],
  'relay/documentation': [...platform, 'relay/auth'],
  /** `main.ts` and `relay.module.ts`: the only files that know every room of the relay. */
  relay: [
    ...tenant,
    'relay/audit',
    'relay/usage',
    'relay/auth',
    'relay/nodes',
    'relay/operations',
    'relay/inventory',
    'relay/routing',
    'relay/protocols',
    'relay/management',
    'relay/health',
    'relay/agent-distribution',
    'relay/documentation',
  ],
  agent: foundation,
  /** The command line starts relay and agent through dynamic imports of their two entry points only. */
  cli: ['kernel', 'relay', 'agent'],
};
