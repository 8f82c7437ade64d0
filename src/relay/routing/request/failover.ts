import type { NodeId } from '../../../kernel/ids.js';
import type { RejectReason } from '../../../link/messages.js';
import type { Placement } from '../../inventory/model-entry.js';
import { refusalEnding } from './node-failure.js';
import type { Ending } from './outcome.js';

/** Which nodes a request has behind it, and whether another one may be tried (design §5.5). */
export class Failover {
  /** Nodes that must not get the request again. */
  readonly excluded = new Set<NodeId>();
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
  private loss: Ending | null = null;

  /** @param maxRepicks further nodes that may be asked after the first refusal. */
  constructor(private readonly maxRepicks: number) {}

  asked(placement: Placement): void {
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
    if (reason !== 'busy') this.excluded.add(nodeId);
  }

  /** The second node is gone and may have run the prompt: there is no third run. */
  hedgeLost(nodeId: NodeId, loss: Ending): void {
    this.loss ??= loss;
    this.excluded.add(nodeId);
  }

  /** The second node has the request alone. */
  hedgeTookOver(placement: Placement): void {
    this.last = placement;
  }

  /** The prompt may have been run twice. */
  get retried(): boolean {
    return this.secondRun || this.hedged;
  }

  /** A REJECT costs nothing: no work was done. Answers whether another node may be asked. */
  refused(nodeId: NodeId, reason: RejectReason): boolean {
    this.refusals += 1;
    this.lastRefusal = reason;
    // Who is busy may be free in a moment; every other reason stands.
    if (reason !== 'busy') this.excluded.add(nodeId);
    return this.refusals <= this.maxRepicks;
  }

  /** The node is gone and may have run the prompt. Answers whether the one second run is left. */
  lost(nodeId: NodeId, loss: Ending): boolean {
    if (this.loss !== null) return false;
    this.loss = loss;
    this.excluded.add(nodeId);
    return true;
  }

  /** Whether a node may have been given the prompt: then no client may repeat it on its own (reliability, finding 7). */
  get reachedNode(): boolean {
    return this.attempts > this.refusals + this.refusedHedges;
  }

  /** What to tell the client when no node is left. */
  get exhausted(): Ending {
    return this.loss ?? refusalEnding(this.lastRefusal ?? 'draining');
  }

  /** What to tell the client when the request cannot be placed: a run that was lost matters more than why there is no second one. */
  unplaced(because: Ending): Ending {
    return this.loss ?? because;
  }
}
