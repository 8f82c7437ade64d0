import type { RequestId } from '../../../kernel/ids.js';
import type { ResetReason } from '../../../link/messages.js';
import type { ResetAck } from '../../../link/stream/reset-acks.js';
import type { Permit } from '../../platform/limits/permit.js';
import type { HealthVerdict } from '../../nodes/health/health-verdict.js';
import type { RequestToken } from '../admission/request-token.js';
import type { SlotHolder } from '../admission/waiting.js';
import type { Attempt } from './attempt.js';
import type { RoutingContext } from './routing-context.js';

/** The request that the usage is metered for. */
export interface Metered {
  readonly requestId: RequestId;
  readonly permit: Permit | null;
}

interface Release {
  /** Sent to the node; null: it has ended the attempt itself. */
  readonly reset: ResetReason | null;
  readonly verdict: HealthVerdict;
  /** The request that usage after a reset is metered for; null: not metered. */
  readonly metered: Metered | null;
}

/**
 * Gives back the slot of an attempt and closes its stream. The caller wakes the queue when it is done itself.
 * @returns whether the node will report its usage until the reset
 */
export function releaseAttempt(
  holder: SlotHolder & { readonly token: RequestToken },
  attempt: Attempt,
  { reset, verdict, metered }: Release,
  context: RoutingContext,
): boolean {
  // Own state first: no failure of what follows may keep the slot.
  context.occupancy.move(holder.token, null);
  context.queue.served(holder, attempt.startedAtMs);
  try {
    const { node } = attempt.placement;
    return attempt.close(reset, reset === null ? null : cancellationUsageListener(context, node, metered));
  } finally {
    context.health.over(attempt.placement, attempt, attempt.startedAtMs, verdict);
  }
}

/**
 * Creates the listener for the result of a RESET. A separate function, so that the closure, which may live for ten seconds, holds two ids
 * and not the whole request.
 * @param metered the metered request; null for a run that another node repeats, because a request is metered once.
 */
function cancellationUsageListener(
  { health, outcomes }: RoutingContext,
  { nodeId, accountId }: Attempt['placement']['node'],
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
