import type { ManagementApi } from './management-api.js';
import type { Schemas } from './management-api.types.js';
import { CliError } from '../errors/cli-error.js';
import { exitCodes } from '../errors/exit-codes.js';

/**
 * Resolves a node's id or name to its id.
 * @throws CliError (not found), or (usage) when several nodes have the name
 */
export async function findNode(api: ManagementApi, idOrName: string): Promise<string> {
  return onlyOne(await nodesCalled(api, idOrName), idOrName);
}

/** As {@link findNode}; a node that is revoked already is found, too, unless another one has its name now. */
export async function findNodeOrRevoked(api: ManagementApi, idOrName: string): Promise<string> {
  const present = await nodesCalled(api, idOrName);
  return onlyOne(present.length > 0 ? present : await nodesCalled(api, idOrName, '?status=revoked'), idOrName);
}

async function nodesCalled(api: ManagementApi, idOrName: string, query = ''): Promise<readonly Schemas['Node'][]> {
  const nodes = await api.list<Schemas['Node']>(`/api/nodes${query}`);
  const byId = nodes.filter(({ node_id }) => node_id === idOrName);
  // An older relay ignores the query.
  const wanted = query === '' ? nodes : nodes.filter(({ status }) => status === 'revoked');
  return byId.length > 0 ? byId : wanted.filter(({ name }) => name === idOrName);
}

function onlyOne([first, ...others]: readonly Schemas['Node'][], idOrName: string): string {
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
