import type { ManagementApi } from './management-api.js';
import type { Schemas } from './management-api.types.js';
import { CliError } from '../errors/cli-error.js';
import { exitCodes } from '../errors/exit-codes.js';

/**
 * Resolves a node's id or name to its id.
 * @throws CliError (not found), or (usage) when several nodes have the name
 */
export async function findNode(api: ManagementApi, idOrName: string): Promise<string> {
  const nodes = await api.list<Schemas['Node']>('/api/nodes');
  const byId = nodes.find(({ node_id }) => node_id === idOrName);
  if (byId !== undefined) return byId.node_id;
  const [first, ...others] = nodes.filter(({ name }) => name === idOrName);
  if (first === undefined) {
    throw new CliError('node_not_found', exitCodes.notFound, `there is no node "${idOrName}"`, { hint: 'ferry nodes' });
  }
  if (others.length > 0) {
    const ids = [first, ...others].map(({ node_id }) => node_id).join(', ');
    throw new CliError('usage', exitCodes.usage, `several nodes are called "${idOrName}": ${ids}`, {
      hint: 'name one by its id',
    });
  }
  return first.node_id;
}
