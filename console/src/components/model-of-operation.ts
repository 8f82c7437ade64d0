import type { Operation } from '../api/operation-state';
import type { Node, NodeModel } from './node-facts';

type Asked = Pick<Operation, 'node_id' | 'model' | 'model_key' | 'source'>;

/** Without the engine before it. */
const withoutEngine = (key: string): string => key.slice(key.indexOf('/') + 1);

/**
 * The model that an operation is about, first of its own computer.
 * @returns undefined where no computer has it: it was not installed, or is removed
 */
export function modelOfOperation(
  { node_id, model, model_key, source }: Asked,
  nodes: readonly Pick<Node, 'node_id' | 'models'>[],
): NodeModel | undefined {
  const wanted = new Set([model, model_key, source].flatMap((name) => (name === null ? [] : [name.toLowerCase()])));
  return nodes
    .toSorted((one, other) => Number(other.node_id === node_id) - Number(one.node_id === node_id))
    .flatMap(({ models }) => models)
    .find(({ selector, display_name, key }) =>
      [selector, display_name, key, withoutEngine(key)].some((name) => wanted.has(name.toLowerCase())),
    );
}
