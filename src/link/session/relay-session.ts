import { decodeControl, encodeControl, encodeOpen } from '../codec/control-payload.js';
import type { Frame } from '../codec/frame-codec.js';
import { CONTROL_STREAM, FrameType, MAX_STREAM_ID, frameName } from '../codec/frame-types.js';
import { wholeBodyBytes } from '../codec/whole-response.js';
import { LinkProtocolError, LinkUnavailableError } from '../link-errors.js';
import { LinkSession, type LinkSessionOptions, type SessionHandlers } from './link-session.js';
import {
  commandMessage,
  goAwayMessage,
  helloMessage,
  inventoryMessage,
  progressMessage,
  readyMessage,
  replicasMessage,
  resetMessage,
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
import {
  RelayStream,
  type RelayLinkStream,
  type RelayStreamHandler,
  type RelayStreamOwner,
} from '../stream/relay-stream.js';
import { ResetAcks } from '../stream/reset-acks.js';
import { AdmittedStreams } from './admitted-streams.js';

/**
 * A `LinkProtocolError` thrown by a handler refuses the node (1002). Any other error is a bug and closes the link with 1011. `onClosed` is
 * called after every open stream was notified with `node_disconnected`.
 */
export interface RelaySessionHandlers extends SessionHandlers {
  /** Called first, and once. Reply with `ready`; until then the node may send nothing more. */
  onHello(message: HelloMessage): void;
  onInventory(message: InventoryMessage): void;
  onStatus(message: StatusMessage): void;
  /** The operation may be unknown to this relay. Its id is valid only within the node's account. */
  onProgress(message: ProgressMessage): void;
  onResult(message: ResultMessage): void;
  /** The node accepts no new requests; running ones continue. */
  onGoAway(message: GoAwayMessage): void;
}

export type RelayLinkSessionOptions = LinkSessionOptions<RelaySessionHandlers>;

/** The relay's end of one node's link. */
export class RelayLinkSession extends LinkSession<RelayStream> {
  private phase: 'awaiting_hello' | 'awaiting_ready' | 'ready' = 'awaiting_hello';
  private owner: RelayStreamOwner | undefined;
  private lastStreamId = 0;
  private draining = false;
  private readonly resetAcks: ResetAcks;
  /** Kept so that the compiler does not leave the reading out. */
  protected lastReadAhead = 0;

  constructor(private readonly options: RelayLinkSessionOptions) {
    super(options);
    this.resetAcks = new ResetAcks(this.connection.nowMs, (run) => {
      this.connection.attempt(run);
    });
  }

  /** Whether the link takes requests: `open` would accept one now, or as soon as another one ends. */
  get available(): boolean {
    const reason = this.unavailability();
    return reason === null || reason === 'full';
  }

  /** Requests that `open` would accept now. */
  get freeStreams(): number {
    if (this.owner === undefined || this.unavailability() !== null) return 0;
    return this.owner.limits.max_streams - this.streams.size;
  }

  /** Frames received for streams that were closed while the frames were in flight; a metric. */
  get lateFrames(): number {
    return this.connection.late.ignored;
  }

  tick(): void {
    this.connection.tick();
    this.resetAcks.tick();
  }

  /** Admits the node. This session enforces the limits that the message announces. */
  ready(message: ReadyMessage): void {
    if (this.connection.ended) return;
    if (this.phase !== 'awaiting_ready') throw new Error('READY answers exactly one HELLO');
    this.connection.sendControl(FrameType.ready, readyMessage, message);
    this.phase = 'ready';
    this.owner = new AdmittedStreams(this.connection, message.limits, this.streams, this.resetAcks);
  }

  /**
   * Sends a request to the node. The body must not change until the stream ends.
   * @throws LinkUnavailableError when the link accepts no requests now
   * @throws LinkMessageError when the head exceeds the limits of the message
   */
  open(head: OpenMessage, body: Buffer, handler: RelayStreamHandler): RelayLinkStream {
    const reason = this.unavailability();
    if (reason !== null || this.owner === undefined) throw new LinkUnavailableError(reason ?? 'not_ready');
    const encodedHead = encodeOpen(head.body_bytes === body.length ? head : { ...head, body_bytes: body.length });
    this.lastStreamId += 1;
    const stream = new RelayStream(this.lastStreamId, this.owner, body, handler);
    this.streams.set(stream.id, stream);
    stream.start(encodedHead);
    return stream;
  }

  /**
   * Commands use no stream, so a link at its request limit still takes them.
   * @returns false when nothing was sent: before READY, while either side drains, and after the end
   * @throws LinkMessageError when the message exceeds its limits
   */
  sendCommand(message: CommandMessage): boolean {
    const reason = this.unavailability();
    if (reason !== null && reason !== 'full') return false;
    this.connection.sendControl(FrameType.command, commandMessage, message);
    return true;
  }

  /** Other replicas came or went. Does nothing before READY and after the end. */
  sendReplicas(message: ReplicasMessage): void {
    if (this.phase !== 'ready' || this.connection.ended) return;
    this.connection.sendControl(FrameType.replicas, replicasMessage, message);
  }

  /** Stops new requests; running ones continue. Before READY it asks the node to reconnect later. */
  goAway(message: GoAwayMessage): void {
    if (this.connection.ended) return;
    this.draining = true;
    // Control frames overtake streams, and an OPEN must not arrive behind the GOAWAY.
    this.connection.batcher.flush();
    this.connection.sendControl(FrameType.goAway, goAwayMessage, message);
  }

  private unavailability(): LinkUnavailableError['reason'] | null {
    if (this.connection.ended) return 'closed';
    if (this.owner === undefined) return 'not_ready';
    // Without ids the link takes no request ever again, as if it drained; no end of a request changes that.
    if (this.draining || this.lastStreamId >= MAX_STREAM_ID) return 'draining';
    return this.streams.size >= this.owner.limits.max_streams ? 'full' : null;
  }

  /**
   * With a thousand streams none of them is in the processor's caches when its event comes. Read one after the other in a loop, those of a
   * message are fetched at the same time; event by event each would be waited for (docs/reference/stream-transport.md#hot-path).
   */
  override readAhead(frames: readonly Frame[]): void {
    let sum = 0;
    for (const { stream } of frames) sum += this.streams.get(stream)?.readAhead() ?? 0;
    this.lastReadAhead = sum;
  }

  onFrame(frame: Frame): void {
    if (frame.stream !== CONTROL_STREAM) {
      this.onStreamFrame(frame);
      return;
    }
    if (frame.type === FrameType.hello) {
      if (this.phase !== 'awaiting_hello') throw new LinkProtocolError('HELLO twice');
      this.phase = 'awaiting_ready';
      this.connection.handshakeCompleted();
      this.options.handlers.onHello(decodeControl(helloMessage, frame));
      return;
    }
    this.requireReady(frame);
    this.onControlFrame(frame);
  }

  private onControlFrame(frame: Frame): void {
    const { handlers } = this.options;
    switch (frame.type) {
      case FrameType.inventory:
        handlers.onInventory(decodeControl(inventoryMessage, frame));
        return;
      case FrameType.status:
        handlers.onStatus(decodeControl(statusMessage, frame));
        return;
      case FrameType.streams:
        this.reconcile(new Set(decodeControl(streamsMessage, frame).streams));
        return;
      case FrameType.goAway:
        this.draining = true;
        handlers.onGoAway(decodeControl(goAwayMessage, frame));
        return;
      case FrameType.progress:
        handlers.onProgress(decodeControl(progressMessage, frame));
        return;
      case FrameType.result:
        handlers.onResult(decodeControl(resultMessage, frame));
        return;
      default:
        throw new LinkProtocolError(`${frameName(frame.type)} is not for the relay`);
    }
  }

  private onStreamFrame(frame: Frame): void {
    this.requireReady(frame);
    const stream = this.streams.get(frame.stream);
    if (stream !== undefined) stream.handle(frame);
    else if (frame.stream > this.lastStreamId) throw new LinkProtocolError('unknown stream');
    else this.onLateFrame(frame);
  }

  private onLateFrame(frame: Frame): void {
    this.connection.late.ignore(frame.stream, responseBytes(frame), isLast(frame.type));
    this.resetAcks.onLateFrame(frame);
  }

  private requireReady(frame: Frame): void {
    if (this.phase !== 'ready') throw new LinkProtocolError(`${frameName(frame.type)} before READY`);
  }

  /**
   * Applies the node's list of open streams: unknown ones are reset, missing ones are lost (docs/reference/link.md#reconciliation).
   */
  private reconcile(listed: ReadonlySet<number>): void {
    const reset = encodeControl(resetMessage, { reason: 'unknown_stream' });
    for (const id of listed) {
      if (this.streams.has(id)) continue;
      if (id > this.lastStreamId) throw new LinkProtocolError('unknown stream');
      this.connection.batcher.pushFirst(id, FrameType.reset, reset);
    }
    for (const stream of [...this.streams.values()]) stream.reconcile(listed.has(stream.id));
  }

  protected override onStreamsClosed(): void {
    this.resetAcks.linkEnded();
  }
}

/** Of a stream, from a node. */
const isLast = (type: FrameType): boolean =>
  type === FrameType.end || type === FrameType.whole || type === FrameType.reject || type === FrameType.reset;

function responseBytes({ type, payload }: Frame): number {
  if (type === FrameType.whole) return wholeBodyBytes(payload);
  return type === FrameType.data || type === FrameType.dataMore ? payload.length : 0;
}
