import type { AccountId, NodeId, RequestId } from '../../../kernel/ids.js';
import type { ResetAck } from '../../../link/stream/reset-acks.js';
import type { Permit } from '../../limits/permit.js';
import type { NodeHealth } from '../../nodes/health/node-health.js';
import type { OutcomeSink } from './outcome-report.js';

export interface StopWatchers {
  readonly health: Pick<NodeHealth, 'stopUnconfirmed'>;
  readonly outcomes: Pick<OutcomeSink, 'confirmed'>;
}

/** Whose usage it is. */
export interface Metered {
  readonly requestId: RequestId;
  readonly permit: Permit | null;
}

interface StoppedNode {
  readonly nodeId: NodeId;
  readonly accountId: AccountId;
}

/**
 * Hears how a node took a RESET. A function of its own, so that what waits for ten seconds holds two ids and not the whole request.
 * @param metered the request whose usage this is; null for a run whose work another node takes over: metering counts a request once.
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
