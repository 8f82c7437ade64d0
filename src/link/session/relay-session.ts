import { decodeControl, encodeControl, encodeOpen } from '../codec/control-payload.js';
import type { Frame } from '../codec/frame-codec.js';
import { CONTROL_STREAM, FrameType, MAX_STREAM_ID, frameName } from '../codec/frame-types.js';
import { ReceiveBudget } from '../connection/link-budget.js';
import { LinkProtocolError, LinkUnavailableError } from '../link-errors.js';
import { LinkSession, type LinkSessionOptions, type SessionHandlers } from './link-session.js';
import {
  CANCEL_CONFIRMATION_FEATURE,
  commandMessage,
  goAwayMessage,
  helloMessage,
  inventoryMessage,
  INSTALL_AND_LOAD_FEATURE,
  OPERATIONS_FEATURE,
  progressMessage,
  readyMessage,
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

/**
 * A `LinkProtocolError` thrown from these refuses the node (1002); anything else thrown there is a bug and closes with 1011. `onClosed`
 * comes after every open stream was notified with `node_disconnected`.
 */
export interface RelaySessionHandlers extends SessionHandlers {
  /** First and once. Answer with `ready`; until then the node may send nothing more. */
  onHello(message: HelloMessage): void;
  onInventory(message: InventoryMessage): void;
  onStatus(message: StatusMessage): void;
  /** The operation may be unknown to this relay. The id is only valid within the account of the node. */
  onProgress(message: ProgressMessage): void;
  onResult(message: ResultMessage): void;
  /** The node takes no new requests; running ones continue. */
  onGoAway(message: GoAwayMessage): void;
}

export type RelayLinkSessionOptions = LinkSessionOptions<RelaySessionHandlers>;

/** The relay's end of one node's link. */
export class RelayLinkSession extends LinkSession<RelayStream> {
  private phase: 'awaiting_hello' | 'awaiting_ready' | 'ready' = 'awaiting_hello';
  private owner: RelayStreamOwner | undefined;
  private lastStreamId = 0;
  private leaving = false;
  private nodeTakesOperations = false;
  private nodeLoadsAfterInstall = false;
  private nodeConfirmsStops = false;
  private readonly stops: ResetAcks;

  constructor(private readonly options: RelayLinkSessionOptions) {
    super(options);
    this.stops = new ResetAcks(this.connection.nowMs, (run) => {
      this.connection.attempt(run);
    });
  }

  /** Whether the node's HELLO said that it takes COMMANDs. */
  get takesCommands(): boolean {
    return this.nodeTakesOperations;
  }

  /** Whether the node's HELLO said that an install may ask for a load. */
  get loadsAfterInstall(): boolean {
    return this.nodeLoadsAfterInstall;
  }

  /** Whether `open` would take a request now. */
  get available(): boolean {
    return this.unavailability() === null;
  }

  /** Frames that came for streams closed here while they were on their way; a metric. */
  get lateFrames(): number {
    return this.connection.late.ignored;
  }

  tick(): void {
    this.connection.tick();
    this.stops.tick();
  }

  /** Admits the node. The announced limits are the ones this session enforces. */
  ready(message: ReadyMessage): void {
    if (this.connection.ended) return;
    if (this.phase !== 'awaiting_ready') throw new Error('READY answers exactly one HELLO');
    const budget = new ReceiveBudget(message.limits.max_outstanding_bytes);
    this.connection.sendControl(FrameType.ready, readyMessage, message);
    this.phase = 'ready';
    this.nodeConfirmsStops &&= message.features?.includes(CANCEL_CONFIRMATION_FEATURE) === true;
    this.owner = {
      connection: this.connection,
      budget,
      limits: message.limits,
      forget: (stream, lateBytes) => {
        this.streams.take(stream.id);
        this.connection.late.streamClosed(lateBytes, message.limits.max_outstanding_bytes);
      },
      awaitStop: (stream, onStopped) => {
        if (this.nodeConfirmsStops) this.stops.expect(stream.id, onStopped);
        return this.nodeConfirmsStops;
      },
      budgetScarce: () => {
        this.grantHeldCredit();
      },
    };
  }

  /**
   * Sends a request to the node. The body must not change until the stream is over.
   * @throws LinkUnavailableError when the link takes no more requests now
   * @throws LinkMessageError when the head breaks the message's bounds
   */
  open(head: OpenMessage, body: Buffer, handler: RelayStreamHandler): RelayLinkStream {
    const reason = this.unavailability();
    if (reason !== null || this.owner === undefined) throw new LinkUnavailableError(reason ?? 'not_ready');
    const encodedHead = encodeOpen({ ...head, body_bytes: body.length });
    this.lastStreamId += 1;
    const stream = new RelayStream(this.lastStreamId, this.owner, body, handler);
    this.streams.set(stream.id, stream);
    stream.start(encodedHead);
    return stream;
  }

  /**
   * Commands need no stream: a link with as many requests as it may have still takes them.
   * @returns false when nothing was sent: before READY, while either side leaves, after the end, or when the node announced no `operations`
   * @throws LinkMessageError when the message breaks its bounds
   */
  sendCommand(message: CommandMessage): boolean {
    const reason = this.unavailability();
    if (!this.nodeTakesOperations || (reason !== null && reason !== 'full')) return false;
    this.connection.sendControl(FrameType.command, commandMessage, message);
    return true;
  }

  /** No new requests from here on; running ones continue. Before READY it asks the node to reconnect later. */
  goAway(message: GoAwayMessage): void {
    if (this.connection.ended) return;
    this.leaving = true;
    // Control frames overtake streams, and an OPEN must not arrive behind the GOAWAY.
    this.connection.batcher.flush();
    this.connection.sendControl(FrameType.goAway, goAwayMessage, message);
  }

  private unavailability(): LinkUnavailableError['reason'] | null {
    if (this.connection.ended) return 'closed';
    if (this.owner === undefined) return 'not_ready';
    if (this.leaving) return 'draining';
    const full = this.streams.size >= this.owner.limits.max_streams || this.lastStreamId >= MAX_STREAM_ID;
    return full ? 'full' : null;
  }

  protected onFrame(frame: Frame): void {
    if (frame.stream !== CONTROL_STREAM) {
      this.onStreamFrame(frame);
      return;
    }
    if (frame.type === FrameType.hello) {
      if (this.phase !== 'awaiting_hello') throw new LinkProtocolError('HELLO twice');
      this.phase = 'awaiting_ready';
      this.connection.handshakeCompleted();
      const hello = decodeControl(helloMessage, frame);
      this.nodeTakesOperations = hello.features.includes(OPERATIONS_FEATURE);
      this.nodeLoadsAfterInstall = hello.features.includes(INSTALL_AND_LOAD_FEATURE);
      this.nodeConfirmsStops = hello.features.includes(CANCEL_CONFIRMATION_FEATURE);
      this.options.handlers.onHello(hello);
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
        this.leaving = true;
        handlers.onGoAway(decodeControl(goAwayMessage, frame));
        return;
      default:
        this.onOperationFrame(frame);
    }
  }

  private onOperationFrame(frame: Frame): void {
    const { handlers } = this.options;
    if (this.nodeTakesOperations && frame.type === FrameType.progress)
      handlers.onProgress(decodeControl(progressMessage, frame));
    else if (this.nodeTakesOperations && frame.type === FrameType.result)
      handlers.onResult(decodeControl(resultMessage, frame));
    else throw new LinkProtocolError(`${frameName(frame.type)} is not for the relay`);
  }

  private onStreamFrame(frame: Frame): void {
    this.requireReady(frame);
    const stream = this.streams.get(frame.stream);
    if (stream !== undefined) stream.handle(frame);
    else if (frame.stream > this.lastStreamId) throw new LinkProtocolError('unknown stream');
    else this.onLateFrame(frame);
  }

  private onLateFrame(frame: Frame): void {
    this.connection.late.ignore(isAnswerBytes(frame) ? frame.payload.length : 0);
    this.stops.heard(frame);
  }

  private requireReady(frame: Frame): void {
    if (this.phase !== 'ready') throw new LinkProtocolError(`${frameName(frame.type)} before READY`);
  }

  /**
   * STREAMS lists the streams of the node: those unknown here are reset, those missing there are lost (docs/reference/link.md#reconciliation).
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

  protected override streamsGone(): void {
    this.stops.linkEnded();
  }
}

const isAnswerBytes = ({ type }: Frame): boolean => type === FrameType.data || type === FrameType.dataMore;
