import type { Dialect } from '../../../kernel/dialect.js';
import type { NodeId } from '../../../kernel/ids.js';
import type { ContextOverflow, NodeFailure, RejectReason } from '../../../link/messages.js';
import type { Placement } from '../../inventory/model-entry.js';
import type { Decision } from '../selection/decision.js';
import { engineRefusalOf } from './engine-refusal.js';
import { overflowOutcome, refusalOutcome } from './node-failure.js';
import type { RequestEnd } from './outcome.js';

/** A replica that is this much behind the others is not waited for. */
const STALE_REPICKS_MS = 2_000;

export interface Declined {
  readonly reason: string;
  readonly mayTryAnother: boolean;
}

/** Nearly all requests exclude none: a set of their own would take 200 bytes each. */
const NO_NODES: ReadonlySet<NodeId> = new Set();

/**
 * The nodes that a request has tried, and whether another one may be tried (docs/reference/request-lifecycle.md#dispatch-and-failover).
 */
export class Failover {
  private excludedNodes: Set<NodeId> | null = null;
  /** Nodes that were asked, refusals included. */
  attempts = 0;
  last: Placement | null = null;
  /** A second node was asked while the first was silent, and did not refuse (hedging). */
  hedged = false;
  /** A second node was asked after one that may have run the prompt. */
  private secondRun = false;
  private refusedHedges = 0;
  private refusals = 0;
  private lastRefusal: RejectReason | null = null;
  /** Age of the request at its first refusal as stale. */
  private staleSinceMs: number | null = null;
  private loss: RequestEnd | null = null;
  /** By the nodes that have refused the request as too long; with the largest context there is. */
  private overflow: ContextOverflow | null = null;
  /** The words of the engine that has refused it last. */
  private overflowMessage = '';
  /** The first refusal of an engine that may take the request later, or lacks what it needs. */
  private engineRefusal: RequestEnd | null = null;

  /** @param maxRepicks further nodes that may be asked after the first refusal. */
  constructor(
    private readonly maxRepicks: number,
    private readonly dialect: Dialect,
  ) {}

  /** Nodes that must not get the request again. */
  get excluded(): ReadonlySet<NodeId> {
    return this.excludedNodes ?? NO_NODES;
  }

  sent(placement: Placement): void {
    this.attempts += 1;
    this.last = placement;
    this.secondRun = this.loss !== null;
  }

  /** A second node was asked; the first one has the request, too. */
  hedgeAsked(): void {
    this.attempts += 1;
    this.hedged = true;
  }

  /** The second node did nothing. */
  hedgeRefused(nodeId: NodeId, reason: RejectReason): void {
    this.refusedHedges += 1;
    this.hedged = false;
    if (reason !== 'busy' && reason !== 'stale') this.exclude(nodeId);
  }

  /** The second node is gone and may have run the prompt: there is no third run. */
  hedgeLost(nodeId: NodeId, loss: RequestEnd): void {
    this.loss ??= loss;
    this.exclude(nodeId);
  }

  /** The second node has the request alone. */
  hedgeTookOver(placement: Placement): void {
    this.last = placement;
  }

  /** The prompt may have been run twice. */
  get retried(): boolean {
    return this.secondRun || this.hedged;
  }

  /**
   * A REJECT costs nothing: no work was done. Answers whether another node may be asked.
   * @param totalMs age of the request
   */
  refused(nodeId: NodeId, reason: RejectReason, totalMs: number): boolean {
    this.refusals += 1;
    this.lastRefusal = reason;
    if (reason === 'stale') this.staleSinceMs ??= totalMs;
    if (this.staleSinceMs !== null && totalMs - this.staleSinceMs > STALE_REPICKS_MS) return false;
    // A busy node may be free in a moment, and a stale one may be at another replica; every other reason is permanent.
    if (reason !== 'busy' && reason !== 'stale') this.exclude(nodeId);
    return this.refusals <= this.maxRepicks;
  }

  /** The request does not fit there; like a REJECT, that has cost nothing. Answers whether another node may be asked. */
  private tooLong(asked: Placement, overflow: ContextOverflow, message: string): boolean {
    this.overflowMessage = message;
    this.refusals += 1;
    this.exclude(asked.node.nodeId);
    const { overflow: known } = this;
    this.overflow = {
      prompt_tokens: overflow.prompt_tokens ?? known?.prompt_tokens ?? null,
      max_tokens: overflow.max_tokens,
      context_tokens: larger(overflow.context_tokens ?? asked.report.context_length, known?.context_tokens ?? null),
    };
    return this.refusals <= this.maxRepicks;
  }

  /** Whether the engine has refused the request and computed nothing, which is like a REJECT. Null: it has failed otherwise. */
  declinedBy(asked: Placement, failure: NodeFailure): Declined | null {
    const { context_overflow: overflow, message } = failure;
    if (overflow != null) {
      return { reason: 'context_length_exceeded', mayTryAnother: this.tooLong(asked, overflow, message) };
    }
    const refusal = engineRefusalOf(failure);
    if (refusal === undefined) return null;
    this.refusals += 1;
    this.exclude(asked.node.nodeId);
    this.engineRefusal ??= refusal.outcome;
    return { reason: refusal.reason, mayTryAnother: this.refusals <= this.maxRepicks };
  }

  /** Tokens of context that a node must have to be worth asking; 0: no node has refused the request as too long. */
  get neededTokens(): number {
    if (this.overflow === null) return 0;
    const { prompt_tokens: prompt, max_tokens: response, context_tokens: context } = this.overflow;
    return Math.max((prompt ?? 0) + (response ?? 0), (context ?? 0) + 1);
  }

  /** No node is left to ask: nodes with too little room, which were not asked, may have more than those that were. */
  nothingLeft({ candidates }: Decision): RequestEnd {
    for (const { placement, reason } of candidates) {
      if (this.overflow === null || reason !== 'context_too_short') continue;
      const context_tokens = larger(this.overflow.context_tokens, placement.report.context_length);
      this.overflow = { ...this.overflow, context_tokens };
    }
    return this.exhausted;
  }

  /** The node is gone and may have run the prompt. Answers whether the one second run is left. */
  lost(nodeId: NodeId, loss: RequestEnd): boolean {
    if (this.loss !== null) return false;
    this.loss = loss;
    this.exclude(nodeId);
    return true;
  }

  /** Whether a node may have been given the prompt: then no client may repeat it on its own (reliability, finding 7). */
  get reachedNode(): boolean {
    return this.attempts > this.refusals + this.refusedHedges;
  }

  /** The error for the client when no node is left. */
  get exhausted(): RequestEnd {
    if (this.loss !== null) return this.loss;
    if (this.overflow !== null) return overflowOutcome(this.dialect, this.overflow, this.overflowMessage);
    if (this.engineRefusal !== null) return this.engineRefusal;
    return refusalOutcome(this.lastRefusal ?? 'draining');
  }

  /** The error for the client when the request cannot be placed: a lost run takes precedence over the reason why there is no second one,
   * and so does an engine's refusal.  */
  unplaced(because: RequestEnd): RequestEnd {
    return this.loss ?? this.engineRefusal ?? because;
  }

  private exclude(nodeId: NodeId): void {
    this.excludedNodes ??= new Set();
    this.excludedNodes.add(nodeId);
  }
}

const larger = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.max(one, other);
