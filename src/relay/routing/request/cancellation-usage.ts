import type { AccountId, NodeId, RequestId } from '../../../kernel/ids.js';
import type { ResetAck } from '../../../link/stream/reset-acks.js';
import type { Permit } from '../../limits/permit.js';
import type { NodeHealth } from '../../nodes/health/node-health.js';
import type { OutcomeSink } from './outcome-report.js';

export interface StopWatchers {
  readonly health: Pick<NodeHealth, 'stopUnconfirmed'>;
  readonly outcomes: Pick<OutcomeSink, 'confirmed'>;
}

/** The request that the usage is metered for. */
export interface Metered {
  readonly requestId: RequestId;
  readonly permit: Permit | null;
}

interface StoppedNode {
  readonly nodeId: NodeId;
  readonly accountId: AccountId;
}

/**
 * Creates the listener for the result of a RESET. A separate function, so that the closure, which may live for ten seconds, holds two ids
 * and not the whole request.
 * @param metered the metered request; null for a run that another node repeats, because a request is metered once.
 */
export function cancellationUsageListener(
  { health, outcomes }: StopWatchers,
  { nodeId, accountId }: StoppedNode,
  metered: Metered | null,
): (stopped: ResetAck) => void {
  return (stopped) => {
    if (stopped === 'missing') health.stopUnconfirmed({ nodeId, accountId });
    if (metered === null) return;
    const usage = typeof stopped === 'string' ? null : stopped.usage;
    if (usage !== null) metered.permit?.charge(usage);
    outcomes.confirmed(metered.requestId, usage);
  };
}
