import type { Clock } from '../../../kernel/clock.js';
import type { AccountId, NodeId } from '../../../kernel/ids.js';
import type { Placement } from '../../inventory/model-entry.js';
import { LearnedSlots } from '../admission/learned-slots.js';
import { AffinityBook } from '../affinity/affinity-book.js';
import type { AffinityKeys } from '../affinity/affinity-keys.js';
import type { AttemptEnd } from '../prediction/attempt-forecast.js';
import { TELLING_WAIT_MS, waitedInLine } from '../prediction/engine-line.js';
import { CompletionPredictor } from '../prediction/completion-predictor.js';
import { completionCosting, type Costing, type RequestProfile } from './costing.js';

interface Errand {
  readonly placement: Placement;
  readonly keys: AffinityKeys;
}

/** What the relay has learned of its nodes, and hears of every request that a node has. Everything here is lost with the process. */
export class RoutingExperience {
  readonly costing: Costing;
  /** How many requests engines run at once, where that is less than they say. */
  readonly slots: LearnedSlots;
  private readonly predictor: CompletionPredictor;
  private readonly affinity: AffinityBook;
  private readonly errands = new Map<object, Errand>();

  /** @param onRoom an engine turned out to have room for one more */
  constructor(
    clock: Clock,
    { affinityKeys }: { readonly affinityKeys: number },
    onRoom?: (accountId: AccountId) => void,
  ) {
    this.predictor = new CompletionPredictor(clock);
    this.affinity = new AffinityBook(clock, affinityKeys);
    this.slots = new LearnedSlots(clock, onRoom);
    this.costing = completionCosting(this.predictor, this.affinity);
  }

  /** Requests that nodes have now. */
  get live(): number {
    return this.errands.size;
  }

  /** A node was given the request. @param owner stands for it until {@link ended} @param others at the same engine */
  asked(owner: object, placement: Placement, { demand, affinity }: RequestProfile, others: number): void {
    const warmTokens = this.affinity.find(placement.node.accountId, affinity).tokensAt(placement);
    this.predictor.asked(owner, placement, demand, others, warmTokens);
    this.errands.set(owner, { placement, keys: affinity });
  }

  /** Until its first event is overdue; null: it is with no node. */
  overdueInMs(owner: object): number | null {
    return this.predictor.overdueInMs(owner);
  }

  /** Until its first event is later than 95 % of those are; null: nobody can tell. */
  lateInMs(owner: object): number | null {
    return this.predictor.lateInMs(owner);
  }

  /** Its first event is here. @param nowMs monotonic, where it is known already */
  begun(owner: object, nowMs?: number): void {
    this.predictor.begun(owner, nowMs);
  }

  /** The node has the request no more. Idempotent. @param end null: the node refused, and nothing was done */
  ended(owner: object, others: number, end: AttemptEnd | null): void {
    const errand = this.errands.get(owner);
    if (errand !== undefined && end !== null) this.observeSlots(owner, errand.placement, others, end);
    this.predictor.ended(owner, others, end);
    if (errand === undefined) return;
    this.errands.delete(owner);
    const { placement, keys } = errand;
    const { accountId } = placement.node;
    if (end === null) return;
    if (end.firstEventMs === null) this.affinity.failed(accountId, keys, placement);
    else if (end.completed) {
      this.affinity.served(accountId, keys, placement, (end.inputTokens ?? 0) + (end.outputTokens ?? 0));
    }
  }

  private observeSlots(owner: object, placement: Placement, others: number, end: AttemptEnd): void {
    const { completed, overloaded = false, firstEventMs } = end;
    // Nearly all requests: they did not wait at all, and every engine keeps its word.
    if (!overloaded && this.slots.size === 0 && (firstEventMs ?? 0) < TELLING_WAIT_MS) return;
    const forecast = this.predictor.forecastOf(owner);
    if (forecast === undefined) return;
    const run = { placement, startedAtMs: forecast.askedAtMs, others: Math.max(others, forecast.othersAtStart) };
    if (overloaded) this.slots.full(run);
    if (!completed) return;
    const waited = waitedInLine(forecast, end, run.others);
    if (waited !== null) this.slots.ran(run, waited);
  }

  /** The node is enrolled no more. */
  forget(nodeId: NodeId): void {
    this.predictor.forget(nodeId);
  }
}
