import type { NodeId } from '../../../kernel/ids.js';
import type { Placement } from '../../inventory/model-entry.js';
import type { NodeHealth } from '../../nodes/health/node-health.js';

/** One that may be where another one waits. */
export interface Neighbour {
  readonly placement: Placement | null;
  /** Its last event is so long ago; null: it has none yet, or is over. */
  readonly silentMs: number | null;
}

export interface Stalls<Request> {
  readonly live: Iterable<Request>;
  readonly limits: { readonly healthStallMs: number };
  readonly stallInMs: (request: Request) => number | null;
}

/**
 * Milliseconds until the node of a request without an event is stalled; Infinity: unknown. A node that streams anything else is not: such
 * streams are looked for only now that the request is late, so that nothing has to be written down for each of their events.
 */
function stallLeftMs<Request extends Neighbour>(
  request: Request,
  nodeId: NodeId,
  { live, limits, stallInMs }: Stalls<Request>,
): number {
  let leftMs = stallInMs(request) ?? Infinity;
  for (const { placement, silentMs } of live) {
    if (silentMs !== null && placement?.node.nodeId === nodeId)
      leftMs = Math.max(leftMs, limits.healthStallMs - silentMs);
  }
  return leftMs;
}

interface WaitingAttempt {
  readonly placement: Placement;
  readonly startedAtMs: number;
}

/** Reports the node of a request without an event as stalled, if it is. @returns milliseconds until it is; 0 or less: reported */
export function reportStall<Request extends Neighbour>(
  request: Request,
  attempt: WaitingAttempt,
  context: Stalls<Request> & { readonly health: Pick<NodeHealth, 'stalled'> },
): number {
  const leftMs = stallLeftMs(request, attempt.placement.node.nodeId, context);
  if (leftMs <= 0) context.health.stalled(attempt.placement, attempt.startedAtMs, attempt);
  return leftMs;
}
