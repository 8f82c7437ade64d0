import type WebSocket from 'ws';
import type { Clock } from '../../kernel/clock.js';
import { LinkCloseCode, type LinkCloseReason } from '../../link/link-errors.js';
import type { NodeLinkLimits } from '../../link/link-limits.js';
import type {
  CommandMessage,
  GoAwayMessage,
  HelloMessage,
  OpenMessage,
  ReadyMessage,
  ReplicasMessage,
  StatusMessage,
} from '../../link/messages.js';
import { NodeLinkSession, type NodeSessionHandlers } from '../../link/session/node-session.js';
import type { NodeLinkStream, NodeStreamHandler } from '../../link/stream/node-stream.js';
import type { Link, LinkEvents } from './link.js';
import { NodeReporter, type NodeReporterOptions } from './node-reporter.js';
import type { LinkOutcome } from './reconnect-policy.js';
import { MeteredTransport, SocketTransport, type LinkMeter } from './socket-transport.js';

export interface OpenLinkOptions {
  readonly clock: Clock;
  readonly limits: NodeLinkLimits;
  readonly hello: () => HelloMessage;
  /** `replica`: through which the request came; '' for a relay that does not name its replicas. */
  readonly serve: (head: OpenMessage, stream: NodeLinkStream, replica: string) => NodeStreamHandler;
  readonly operations: LinkOperations;
  readonly reports: Omit<NodeReporterOptions, 'session' | 'status'> & {
    readonly status: (replica: string) => StatusMessage;
  };
  /** The relay admitted this node, and is of this version. */
  readonly onAdmitted: (ready: Pick<ReadyMessage, 'relay_version' | 'node_name'>) => void;
  readonly onUnexpected: (error: unknown) => void;
  /** Absent: bytes are not counted. */
  readonly meter?: LinkMeter | undefined;
}

/** Operations outlive links: their messages go to the replica that sent the COMMAND, or else to any other. */
export interface LinkOperations {
  take(command: CommandMessage, replica: string): void;
  attach(session: Pick<NodeLinkSession, 'sendProgress' | 'sendResult'>, replica: string): void;
  detach(session: Pick<NodeLinkSession, 'sendProgress' | 'sendResult'>): void;
}

/** A link session around an open, paused socket. */
export function openLink(socket: WebSocket, events: LinkEvents, options: OpenLinkOptions): Link {
  return new SessionLink(socket, events, options);
}

/** A class, because an object with accessors and a function for each event takes 1.5 KiB more of each link. */
class SessionLink implements Link, NodeSessionHandlers {
  private readonly session: NodeLinkSession;
  private readonly reporter: NodeReporter;
  private closeCode: number | undefined;
  /** Sent as the ping's payload, which its pong repeats: distinguishes the response to this probe from an earlier pong. */
  private probes = 0;
  private awaitsPong = false;
  private replica = '';

  constructor(
    private readonly socket: WebSocket,
    private readonly events: LinkEvents,
    private readonly options: OpenLinkOptions,
  ) {
    const { meter, clock, limits, reports } = options;
    this.session = new NodeLinkSession({
      transport: meter === undefined ? new SocketTransport(socket) : new MeteredTransport(socket, meter),
      clock,
      limits,
      handlers: this,
    });
    // Not spread: an object that is made so has a hidden class of its own, 400 bytes of each link.
    this.reporter = new NodeReporter({
      session: this.session,
      models$: reports.models$,
      status: () => reports.status(this.replica),
      statusChanged$: reports.statusChanged$,
      hasSeveralLinks: reports.hasSeveralLinks,
      clock: reports.clock,
      timers: reports.timers,
      onUnsendable: reports.onUnsendable,
    });
    this.listen();
  }

  get openStreams(): number {
    return this.session.openStreams;
  }

  get roundTripMs(): number | null {
    return this.session.roundTripMs;
  }

  get unanswered(): boolean {
    return this.awaitsPong;
  }

  start(): void {
    this.session.hello(this.options.hello());
    this.socket.resume();
  }

  goAway(): void {
    this.session.goAway({ reason: 'draining', reconnect_in_ms: 0 });
  }

  close(): void {
    this.session.close(LinkCloseCode.goingAway);
  }

  probe(): void {
    this.probes += 1;
    this.awaitsPong = true;
    if (this.socket.readyState === this.socket.OPEN) this.socket.ping(String(this.probes));
  }

  tick(): void {
    this.session.tick();
  }

  onReady(message: ReadyMessage): void {
    this.replica = message.replica.id;
    this.options.onAdmitted(message);
    // First, so that STATUS is that of a node with this link.
    this.events.onReady(message);
    this.reporter.start();
    this.options.operations.attach(this.session, this.replica);
  }

  onOpen(head: OpenMessage, stream: NodeLinkStream): NodeStreamHandler {
    return this.options.serve(head, stream, this.replica);
  }

  onCommand(message: CommandMessage): void {
    this.options.operations.take(message, this.replica);
  }

  onReplicas(message: ReplicasMessage): void {
    this.events.onReplicas(message);
  }

  onGoAway(message: GoAwayMessage): void {
    this.events.onGoAway(message);
  }

  onClosed(reason: LinkCloseReason, detail: string): void {
    this.reporter.stop();
    this.options.operations.detach(this.session);
    this.events.onClosed(outcomeOf(this.closeCode), describeClose(reason, detail, this.closeCode));
  }

  onHandlerError(error: unknown): void {
    this.options.onUnexpected(error);
  }

  private listen(): void {
    const { socket, session } = this;
    const { meter } = this.options;
    // With the default `binaryType` a message is one Buffer, of which the session may keep parts.
    socket.on('message', (message: Buffer, isBinary: boolean) => {
      session.receive(message, isBinary);
    });
    if (meter !== undefined)
      socket.on('message', (message: Buffer) => {
        meter.received(message.length);
      });
    // `ws` has answered it by now.
    socket.on('ping', () => {
      session.pinged();
    });
    socket.on('pong', (payload: Buffer) => {
      if (payload.toString() === String(this.probes)) this.awaitsPong = false;
      session.ponged();
    });
    socket.on('close', (code: number) => {
      this.closeCode = code;
      session.closed();
    });
  }
}

function outcomeOf(closeCode: number | undefined): LinkOutcome {
  switch (closeCode) {
    case LinkCloseCode.revoked:
      return { kind: 'revoked' };
    case LinkCloseCode.superseded:
      return { kind: 'superseded' };
    case LinkCloseCode.unsupportedVersion:
      return { kind: 'incompatible' };
    default:
      return { kind: 'lost' };
  }
}

const describeClose = (reason: LinkCloseReason, detail: string, closeCode: number | undefined): string =>
  closeCode === undefined ? `${reason}: ${detail}` : `${reason} (${closeCode})`;
