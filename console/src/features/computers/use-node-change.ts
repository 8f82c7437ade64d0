import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Node } from '../../components/node-facts';

export function useNodeChange<Input>(change: (input: Input) => Promise<unknown>, onDone: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    async onSuccess() {
      onDone();
      await Promise.all(['nodes', 'clusters'].map((topic) => queries.invalidateQueries({ queryKey: [topic] })));
    },
  });
}

export const paramsOf = ({ node_id }: Node) => ({ path: { nodeId: node_id } });
