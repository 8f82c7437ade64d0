import type { Schemas } from '../../api/management-api.types';
import type { NodeModel } from '../node-facts';
import type { Placement } from './placement';

type Running = Pick<Schemas['RunningRequest'], 'node_id' | 'model'>;

const namesOf = ({ selector, display_name, key }: NodeModel): readonly string[] =>
  [selector, display_name, key, key.slice(key.indexOf('/') + 1)].map((name) => name.toLowerCase());

/**
 * Those that run on a model of one computer. Requests may call a model by any name that is unique: one that names no other model of the computer
 * is counted, so that none is missed.
 */
export function requestsOf<Request extends Running>(
  { node, model }: Placement,
  running: readonly Request[],
): readonly Request[] {
  const own = new Set(namesOf(model));
  const others = new Set(node.models.filter(({ key }) => key !== model.key).flatMap(namesOf));
  return running.filter(({ node_id, model: wanted }) => {
    const name = wanted.toLowerCase();
    return node_id === node.node_id && (own.has(name) || !others.has(name));
  });
}
