import type { ManagementApi } from './management-api.js';
import type { Schemas } from './management-api.types.js';
import { itemsNamed, pickNamed, type Naming } from '../args/pick-named.js';

type Node = Schemas['Node'];

const naming: Naming<Node> = {
  what: 'node',
  code: 'node_not_found',
  list: 'ferry nodes',
  ids: ({ node_id }) => [node_id],
  names: ({ name }) => [name],
};

interface FindOptions {
  /** Only the whole name is accepted. */
  readonly whole?: boolean;
}

/**
 * The id of the node with this id or name, or with this part in its name.
 * @throws CliError (not found), or (usage) when several nodes fit
 */
export async function findNode(api: ManagementApi, given: string, options: FindOptions = {}): Promise<string> {
  return pickNode(await api.list('/api/nodes'), given, options);
}

/** Works like {@link findNode}, on nodes that are known already. */
export const pickNode = (nodes: readonly Node[], given: string, options: FindOptions = {}): string =>
  pickNamed(nodes, given, naming, options).node_id;

/** As {@link findNode}, for whole names; a node that is revoked already is found, too, unless another one has its name now. */
export async function findNodeOrRevoked(api: ManagementApi, given: string): Promise<string> {
  const present = await api.list('/api/nodes');
  if (itemsNamed(present, given, naming, { whole: true }).length > 0) {
    return pickNamed(present, given, naming, { whole: true }).node_id;
  }
  const revoked = await api.list('/api/nodes', { query: { status: 'revoked' } });
  return pickNamed([...revoked, ...present], given, naming, { whole: true }).node_id;
}
