import { decodeControl } from '../codec/control-payload.js';
import type { Frame } from '../codec/frame-codec.js';
import { CONTROL_STREAM, FrameType, frameName } from '../codec/frame-types.js';
import { SendBudget } from '../connection/link-budget.js';
import { LinkProtocolError, LinkUnavailableError } from '../link-errors.js';
import type { NodeLinkLimits } from '../link-limits.js';
import { LinkSession, type LinkSessionOptions, type SessionHandlers } from './link-session.js';
import {
  commandMessage,
  goAwayMessage,
  helloMessage,
  inventoryMessage,
  openMessage,
  progressMessage,
  readyMessage,
  replicasMessage,
  resultMessage,
  statusMessage,
  streamsMessage,
  type CommandMessage,
  type GoAwayMessage,
  type HelloMessage,
  type InventoryMessage,
  type OpenMessage,
  type ProgressMessage,
  type ReadyMessage,
  type ReplicasMessage,
  type ResultMessage,
  type StatusMessage,
} from '../messages.js';
import { HeldAcks, type AckTimer } from '../stream/held-acks.js';
import {
  NodeStream,
  type NodeLinkStream,
  type NodeStreamHandler,
  type NodeStreamOwner,
} from '../stream/node-stream.js';

/** `onClosed` is called after every open stream was reset with `link_closed`. */
export interface NodeSessionHandlers extends SessionHandlers {
  /** The relay admitted the node: INVENTORY and STATUS may be sent from now on. */
  onReady(message: ReadyMessage): void;
  /** A new request. The stream may be used at once; the returned handler receives the body. */
  onOpen(head: OpenMessage, stream: NodeLinkStream): NodeStreamHandler;
  /** An operation on a model. */
  onCommand(message: CommandMessage): void;
  /** GOAWAY: the relay opens no more streams on this link; open ones continue. */
  onGoAway(message: GoAwayMessage): void;
  /** Other replicas came or went. */
  onReplicas?(message: ReplicasMessage): void;
}

export type NodeLinkSessionOptions = LinkSessionOptions<NodeSessionHandlers, NodeLinkLimits> & {
  /** Absent: that of the system. */
  readonly ackTimer?: AckTimer;
};

/** The node's end of the link. */
export class NodeLinkSession extends LinkSession<NodeStream> {
  private owner: NodeStreamOwner | undefined;
  private lastStreamId = 0;
  private draining = false;
  private streamsSentAtMs = 0;

  constructor(private readonly options: NodeLinkSessionOptions) {
    super(options);
  }

  /** Call it first, and once. */
  hello(message: HelloMessage): void {
    this.connection.sendControl(FrameType.hello, helloMessage, message);
  }

  /** @throws LinkUnavailableError before READY. Does nothing once the link is closed. */
  sendInventory(message: InventoryMessage): void {
    this.requireReady();
    this.connection.sendControl(FrameType.inventory, inventoryMessage, message);
  }

  /** @throws LinkUnavailableError before READY. Does nothing once the link is closed. */
  sendStatus(message: StatusMessage): void {
    this.requireReady();
    this.connection.sendControl(FrameType.status, statusMessage, message);
  }

  /**
   * @returns false when nothing was sent: the link is closed
   * @throws LinkUnavailableError before READY, LinkMessageError when the message exceeds its limits
   */
  sendProgress(message: ProgressMessage): boolean {
    this.requireReady();
    if (this.connection.ended) return false;
    this.connection.sendControl(FrameType.progress, progressMessage, message);
    return true;
  }

  /** Like {@link sendProgress}. */
  sendResult(message: ResultMessage): boolean {
    this.requireReady();
    if (this.connection.ended) return false;
    this.connection.sendControl(FrameType.result, resultMessage, message);
    return true;
  }

  /** Running requests finish; new ones are rejected with `draining`. */
  goAway(message: GoAwayMessage): void {
    this.requireReady();
    this.draining = true;
    this.connection.batcher.flush();
    this.connection.sendControl(FrameType.goAway, goAwayMessage, message);
  }

  tick(): void {
    this.connection.tick();
    const nowMs = this.connection.nowMs();
    if (this.owner === undefined || this.connection.ended) return;
    if (nowMs - this.streamsSentAtMs < this.options.limits.streamsIntervalMs) return;
    this.streamsSentAtMs = nowMs;
    this.connection.sendControl(FrameType.streams, streamsMessage, { streams: [...this.streams.keys()] });
  }

  private requireReady(): void {
    if (this.owner === undefined && !this.connection.ended) throw new LinkUnavailableError('not_ready');
  }

  onFrame(frame: Frame): void {
    if (frame.type === FrameType.ready) {
      this.onReady(decodeControl(readyMessage, frame));
      return;
    }
    if (frame.type === FrameType.goAway) {
      this.options.handlers.onGoAway(decodeControl(goAwayMessage, frame));
      return;
    }
    const { owner } = this;
    if (owner === undefined) throw new LinkProtocolError(`${frameName(frame.type)} before READY`);
    if (frame.type === FrameType.open) this.onOpen(frame, owner);
    else if (frame.stream !== CONTROL_STREAM) this.onStreamFrame(frame);
    else if (frame.type === FrameType.command) this.onCommand(frame);
    else if (frame.type === FrameType.replicas)
      this.options.handlers.onReplicas?.(decodeControl(replicasMessage, frame));
    else throw new LinkProtocolError(`${frameName(frame.type)} is not for a node`);
  }

  private onCommand(frame: Frame): void {
    const command = decodeControl(commandMessage, frame);
    this.connection.attempt(() => {
      this.options.handlers.onCommand(command);
    });
  }

  private onReady(message: ReadyMessage): void {
    if (this.owner !== undefined) throw new LinkProtocolError('READY twice');
    const { connection } = this;
    const bodiesInFlightBytes = message.limits.max_streams * message.limits.to_node_window_bytes;
    const budget = new SendBudget(message.limits.max_outstanding_bytes, message.limits.max_streams);
    this.owner = {
      connection,
      budget,
      limits: message.limits,
      heldAcks: new HeldAcks(this.options.ackTimer),
      forget: (stream, lateBytes) => {
        this.streams.take(stream.id);
        // Nothing tells when the relay has learned of it. An OPEN comes behind the body of the stream whose place it takes, so the sum is bounded.
        connection.late.share(lateBytes, bodiesInFlightBytes);
      },
      budgetFreed: () => {
        if (!connection.ended && budget.takeStarving()) connection.waiters.resumeAll(connection.nowMs());
      },
      afterFlush: (release) => {
        connection.batcher.afterFlush(release);
      },
    };
    connection.handshakeCompleted();
    this.streamsSentAtMs = connection.nowMs();
    this.options.handlers.onReady(message);
  }

  private onOpen(frame: Frame, owner: NodeStreamOwner): void {
    if (frame.stream <= this.lastStreamId) throw new LinkProtocolError('stream id used again');
    const head = decodeControl(openMessage, frame);
    this.lastStreamId = frame.stream;
    const stream = new NodeStream(frame.stream, owner, head);
    this.streams.set(stream.id, stream);
    if (this.draining) {
      stream.reject('draining');
    } else if (this.streams.size > owner.limits.max_streams) {
      stream.reject('busy');
    } else {
      try {
        stream.attach(this.options.handlers.onOpen(head, stream));
      } catch (error) {
        stream.handlerThrew(error);
      }
    }
  }

  private onStreamFrame(frame: Frame): void {
    const stream = this.streams.get(frame.stream);
    if (stream !== undefined) stream.handle(frame);
    else if (frame.stream > this.lastStreamId) throw new LinkProtocolError('unknown stream');
    else {
      const bodyBytes = frame.type === FrameType.body ? Math.max(0, frame.payload.length - 1) : 0;
      this.connection.late.ignore(frame.stream, bodyBytes, false);
    }
  }
}
