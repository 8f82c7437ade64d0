import type { Observable } from 'rxjs';
import { z } from 'zod';
import type { NodeId } from '../../../kernel/ids.js';
import type { IdentityConflict } from '../../nodes/registry/node-registry.js';
import { idText } from '../bus/id-text.js';
import type { MessageBus, Topic } from '../bus/message-bus.js';

/** Longer than any replica refuses a node. */
const LONGEST_SECONDS = 3_600;

const conflictTopic: Topic<{ node: NodeId; seconds: number }> = {
  name: 'nodes.conflict',
  payload: z.object({ node: idText<NodeId>(), seconds: z.number().int().min(1).max(LONGEST_SECONDS) }),
};

interface ConflictingNodes {
  readonly conflicts$: Observable<IdentityConflict>;
  conflictOnReplica(conflict: IdentityConflict): void;
}

/** Tells the other replicas of nodes that are refused here, so that each of them can say why: only one knows of the swaps. @returns ends it */
export function shareConflicts(bus: MessageBus, nodes: ConflictingNodes): () => void {
  const own = nodes.conflicts$.subscribe(({ nodeId, seconds }) => {
    bus.publish(conflictTopic, { node: nodeId, seconds });
  });
  const unsubscribe = bus.subscribe(conflictTopic, ({ node, seconds }) => {
    nodes.conflictOnReplica({ nodeId: node, seconds });
  });
  return () => {
    own.unsubscribe();
    unsubscribe();
  };
}
