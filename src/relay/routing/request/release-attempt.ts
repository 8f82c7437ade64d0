import type { ResetReason } from '../../../link/messages.js';
import type { HealthVerdict } from '../../nodes/health/health-verdict.js';
import type { NodeHealth } from '../../nodes/health/node-health.js';
import type { AdmissionQueue } from '../admission/admission-queue.js';
import type { Occupancy } from '../admission/occupancy.js';
import type { SlotHolder } from '../admission/waiting.js';
import type { Attempt } from './attempt.js';
import { cancellationUsageListener, type Metered } from './cancellation-usage.js';
import type { OutcomeSink } from './outcome-report.js';

interface ReleaseContext {
  readonly occupancy: Occupancy<object>;
  readonly queue: Pick<AdmissionQueue, 'served'>;
  readonly health: NodeHealth;
  readonly outcomes: OutcomeSink;
}

export interface Release {
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
  holder: SlotHolder & { readonly token: object },
  attempt: Attempt,
  { reset, verdict, metered }: Release,
  context: ReleaseContext,
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
