import type { Clock } from '../../../kernel/clock.js';
import type { AccountId, NodeId } from '../../../kernel/ids.js';
import type { TimerHandle, TimerWheel } from '../../platform/timing/timer-wheel.js';
import type { HealthVerdict } from './health-verdict.js';
import type { HealthView, NodeHealthState, SuspicionReason } from './health-view.js';

export interface HealthLimits {
  /** Failed runs in a row, each begun after the one before had failed, that make a node suspect. */
  readonly healthFailureThreshold: number;
  /** A suspect node gets its first probe after this; twice as long after each probe that fails. */
  readonly healthProbeAfterMs: number;
  readonly healthProbeMaxMs: number;
}

export interface NodeHealthOptions {
  readonly clock: Clock;
  readonly timers: Pick<TimerWheel, 'schedule'>;
  readonly limits: HealthLimits;
  /** A node may be tried again: wake who waits. */
  readonly onUsable: (accountId: AccountId) => void;
  readonly onChange?: (nodeId: NodeId, state: NodeHealthState, reason: SuspicionReason | null) => void;
}

/** Nodes with trouble at once, over all accounts. Beyond that the one whose trouble is oldest counts as healthy again. */
const MAX_TROUBLED_NODES = 10_000;
/** As long as a node's last failure is this old, it says nothing about the next run. */
const FAILURES_FORGOTTEN_MS = 10 * 60_000;

interface Trouble {
  readonly accountId: AccountId;
  failures: number;
  lastFailureAtMs: number;
  suspicion: Suspicion | null;
}

interface Suspicion {
  readonly reason: SuspicionReason;
  sinceMs: number;
  waitMs: number;
  state: 'suspect' | 'probing';
  /** The run whose first event was missed, where that is the reason: when it completes after all, nothing is left of the suspicion. */
  readonly missed: object | null;
  /** The run that is the probe. */
  probe: object | null;
  timer: TimerHandle | null;
}

/**
 * The health of nodes as the work itself shows it (reliability §2.7: a heartbeat on another path can stay green while work cannot
 * arrive). Only nodes with trouble are remembered, so that for all others this costs nothing.
 */
export class NodeHealth implements HealthView {
  /** By the age of the trouble. */
  private readonly troubled = new Map<NodeId, Trouble>();

  constructor(private readonly options: NodeHealthOptions) {}

  /** Nodes with at least one recent failure. */
  get size(): number {
    return this.troubled.size;
  }

  stateOf(nodeId: NodeId): NodeHealthState {
    return this.suspicionOf(nodeId)?.state ?? 'healthy';
  }

  reasonOf(nodeId: NodeId): SuspicionReason | null {
    return this.suspicionOf(nodeId)?.reason ?? null;
  }

  isProbed(nodeId: NodeId): boolean {
    return (this.suspicionOf(nodeId)?.probe ?? null) !== null;
  }

  /** @param run identifies it until `over`. */
  started(nodeId: NodeId, run: object): void {
    const suspicion = this.suspicionOf(nodeId);
    if (suspicion?.state === 'probing') suspicion.probe ??= run;
  }

  /** Once per run. @param startedAtMs monotonic: what began before a failure belongs to the same incident and counts with it. */
  over(nodeId: NodeId, accountId: AccountId, run: object, startedAtMs: number, verdict: HealthVerdict): void {
    if (this.troubled.size === 0 && verdict !== 'bad') return;
    const trouble = this.troubled.get(nodeId);
    const suspicion = trouble?.suspicion ?? null;
    if (suspicion?.probe === run) suspicion.probe = null;
    if (verdict === 'good') this.worked(nodeId, accountId, suspicion, run, startedAtMs);
    else if (verdict === 'bad') this.failed(nodeId, accountId, trouble, startedAtMs);
  }

  /** The node did not say that it has stopped a run: its engine may still be busy with it. */
  stopUnconfirmed(nodeId: NodeId, accountId: AccountId): void {
    this.suspect(nodeId, this.troubleOf(nodeId, accountId), 'unconfirmed_stop', this.options.clock.monotonicMs(), null);
  }

  /** The first event of a run is far later than predicted. The run goes on waiting; others need not. */
  stalled(nodeId: NodeId, accountId: AccountId, startedAtMs: number, run: object): void {
    this.suspect(nodeId, this.troubleOf(nodeId, accountId), 'stalled', startedAtMs, run);
  }

  private suspicionOf(nodeId: NodeId): Suspicion | null {
    if (this.troubled.size === 0) return null;
    return this.troubled.get(nodeId)?.suspicion ?? null;
  }

  private worked(
    nodeId: NodeId,
    accountId: AccountId,
    suspicion: Suspicion | null,
    run: object,
    startedAtMs: number,
  ): void {
    // An answer that was under way before says nothing about what is wrong since, unless it is the one that was missed.
    if (suspicion !== null && startedAtMs < suspicion.sinceMs && suspicion.missed !== run) return;
    this.forget(nodeId);
    if (suspicion === null) return;
    this.options.onChange?.(nodeId, 'healthy', null);
    // It takes more than one at a time again.
    this.options.onUsable(accountId);
  }

  private failed(nodeId: NodeId, accountId: AccountId, known: Trouble | undefined, startedAtMs: number): void {
    const nowMs = this.options.clock.monotonicMs();
    const isNew = known === undefined || startedAtMs >= known.lastFailureAtMs;
    const trouble = this.troubleOf(nodeId, accountId);
    if (!isNew) return;
    if (nowMs - trouble.lastFailureAtMs > FAILURES_FORGOTTEN_MS) trouble.failures = 0;
    trouble.failures += 1;
    trouble.lastFailureAtMs = nowMs;
    if (trouble.suspicion !== null || trouble.failures >= this.options.limits.healthFailureThreshold) {
      this.suspect(nodeId, trouble, 'failures', startedAtMs, null);
    }
  }

  private troubleOf(nodeId: NodeId, accountId: AccountId): Trouble {
    const known = this.troubled.get(nodeId);
    if (known !== undefined) return known;
    const [oldest] = this.troubled.keys();
    if (oldest !== undefined && this.troubled.size >= MAX_TROUBLED_NODES) this.forget(oldest);
    const trouble: Trouble = {
      accountId,
      failures: 0,
      lastFailureAtMs: this.options.clock.monotonicMs(),
      suspicion: null,
    };
    this.troubled.set(nodeId, trouble);
    return trouble;
  }

  /** A suspect node whose probe went wrong waits twice as long; whatever else its older runs do changes nothing. */
  private suspect(
    nodeId: NodeId,
    trouble: Trouble,
    reason: SuspicionReason,
    startedAtMs: number,
    missed: object | null,
  ): void {
    const { clock, limits, onChange } = this.options;
    const before = trouble.suspicion;
    if (before !== null && (before.state === 'suspect' || startedAtMs < before.sinceMs)) return;
    const waitMs = before === null ? limits.healthProbeAfterMs : Math.min(limits.healthProbeMaxMs, before.waitMs * 2);
    const suspicion: Suspicion = {
      reason,
      sinceMs: clock.monotonicMs(),
      waitMs,
      state: 'suspect',
      missed,
      probe: null,
      timer: null,
    };
    trouble.suspicion = suspicion;
    suspicion.timer = this.options.timers.schedule(waitMs, () => {
      suspicion.timer = null;
      suspicion.state = 'probing';
      onChange?.(nodeId, 'probing', reason);
      this.options.onUsable(trouble.accountId);
    });
    onChange?.(nodeId, 'suspect', reason);
  }

  private forget(nodeId: NodeId): void {
    this.troubled.get(nodeId)?.suspicion?.timer?.cancel();
    this.troubled.delete(nodeId);
  }
}
