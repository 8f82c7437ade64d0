import { LinkUnavailableError } from '../../../link/link-errors.js';
import type { EndMessage, HeadMessage, OpenMessage, RejectReason, ResetReason } from '../../../link/messages.js';
import type { NodeLinkStream, NodeStreamHandler } from '../../../link/stream/node-stream.js';
import type { RelayStreamLoss } from '../../../link/stream/relay-stream.js';
import type { ResetAck } from '../../../link/stream/reset-acks.js';
import { CheckedResponse } from '../../nodes/registry/checked-response.js';
import type { Placement } from '../../inventory/model-entry.js';
import { ResponseForwarder } from './response-forwarder.js';

/** A request of another replica needs this of its own replica. */
export interface RequestHost {
  /** The memory of its body; released at the end. */
  readonly memory: { release(): void };
  /** The node and its model, as they are now; null: not usable here any more. */
  placement(): Placement | null;
  /** Counts it among the requests at the engine. @returns false when all slots are taken */
  takeSlot(placement: Placement): boolean;
  /** Idempotent. */
  freeSlot(): void;
  nowMs(): number;
}

/** After a reset, of a node that does not confirm it. */
const STOPPED: EndMessage = {
  outcome: 'cancelled',
  failure: null,
  usage: null,
  timings: { first_event_ms: null, total_ms: 0 },
  dropped: [],
};

/**
 * A request that another replica has received, for a node with a link to this one: the node's end of the link between the replicas, and the
 * relay's end of the node's link. It decides nothing: limits, retries and usage are the other replica's.
 */
export class ForwardedRequest extends CheckedResponse implements NodeStreamHandler {
  private readonly body: Buffer;
  private receivedBytes = 0;
  private readonly arrivedAtMs: number;
  private readonly forwarder: ResponseForwarder;

  constructor(
    private readonly head: OpenMessage,
    private readonly ingress: NodeLinkStream,
    private readonly host: RequestHost,
  ) {
    super();
    this.body = Buffer.allocUnsafe(head.body_bytes);
    this.arrivedAtMs = host.nowMs();
    this.forwarder = new ResponseForwarder(ingress, (bytes) => {
      if (!this.over) this.stream?.consumed(bytes);
    });
  }

  onBody(chunk: Buffer, last: boolean): void {
    chunk.copy(this.body, this.receivedBytes);
    this.receivedBytes += chunk.length;
    this.ingress.bodyTaken(chunk.length);
    if (last) this.dispatch();
  }

  /** The client has gone, the other replica has chosen another node, or the link between the replicas has ended. */
  onReset(reason: ResetReason | 'link_closed'): void {
    if (this.over) return;
    const { stream } = this;
    this.leave();
    const confirms = stream?.reset(reason === 'link_closed' ? 'cancelled' : reason, (stopped) => {
      this.stopped(stopped);
    });
    if (confirms !== true) this.ingress.end(STOPPED);
  }

  protected acknowledged(): void {
    this.ingress.ack();
  }

  protected refused(reason: RejectReason): void {
    this.leave();
    this.ingress.reject(reason);
  }

  protected begun(head: HeadMessage): void {
    this.forwarder.begin(head);
  }

  protected received(bytes: Uint8Array, atBoundary: boolean): void {
    this.forwarder.push(bytes, atBoundary);
  }

  protected finished(end: EndMessage): void {
    this.forwarder.finish(end);
    this.release();
  }

  protected lost(loss: RelayStreamLoss): void {
    this.leave();
    // Like the loss of a node's link, for which there is no reason of RESET.
    this.ingress.abandon(loss === 'node_disconnected' ? 'failed_over' : loss);
  }

  private dispatch(): void {
    const placement = this.host.placement();
    if (placement === null) {
      this.refused('stale');
      return;
    }
    if (!this.host.takeSlot(placement)) {
      this.refused('busy');
      return;
    }
    try {
      this.stream = placement.node.open(this.headForNode(), this.body, this);
    } catch (error) {
      if (!(error instanceof LinkUnavailableError)) throw error;
      this.refused(error.reason === 'full' ? 'busy' : 'stale');
    }
  }

  /** Times are durations: what the body took is gone. */
  private headForNode(): OpenMessage {
    const { head } = this;
    const spentMs = Math.ceil(this.host.nowMs() - this.arrivedAtMs);
    const left = (ms: number): number => Math.max(0, ms - spentMs);
    return {
      ...head,
      node_id: undefined,
      hop: undefined,
      deadline_ms: left(head.deadline_ms),
      ...(head.first_output_ms == null ? {} : { first_output_ms: left(head.first_output_ms) }),
    };
  }

  private stopped(stopped: ResetAck): void {
    // Without a confirmation the other replica finds out by itself that the engine may still run.
    if (stopped !== 'missing') this.ingress.end(stopped === 'none' ? STOPPED : stopped);
  }

  private leave(): void {
    this.over = true;
    this.forwarder.stop();
    this.release();
  }

  private release(): void {
    this.host.freeSlot();
    this.host.memory.release();
  }
}
