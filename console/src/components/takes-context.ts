import type { Node } from './node-facts';

/** Whether a load of the model on that computer can be given a context: by the built-in engine alone without an exception. @param model its selector or its name for requests */
export function takesContext(nodes: readonly Node[] | undefined, nodeId: string | null, model: string | null): boolean {
  const node = nodes?.find(({ node_id }) => node_id === nodeId);
  const placed =
    node?.models.filter(({ selector, display_name }) => selector === model || display_name === model) ?? [];
  return placed.some(({ engine }) => node?.engines.find(({ name }) => name === engine)?.kind === 'llamacpp');
}
