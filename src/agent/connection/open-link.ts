import type WebSocket from 'ws';
import type { Clock } from '../../kernel/clock.js';
import { LinkCloseCode, type LinkCloseReason } from '../../link/link-errors.js';
import type { NodeLinkLimits } from '../../link/link-limits.js';
import type { CommandMessage, HelloMessage, OpenMessage, StatusMessage } from '../../link/messages.js';
import { NodeLinkSession } from '../../link/session/node-session.js';
import type { NodeLinkStream, NodeStreamHandler } from '../../link/stream/node-stream.js';
import type { Link, LinkEvents } from './link.js';
import { NodeReporter, type NodeReporterOptions } from './node-reporter.js';
import type { LinkEnding } from './reconnect-policy.js';
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
  readonly onRelayVersion: (version: string) => void;
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
  const { meter, reports } = options;
  let closeCode: number | undefined;
  /** Sent as the ping's payload, which its pong repeats: distinguishes the answer to this probe from an earlier pong. */
  let probes = 0;
  let unanswered = false;
  let replica = '';
  const session = new NodeLinkSession({
    transport: meter === undefined ? new SocketTransport(socket) : new MeteredTransport(socket, meter),
    clock: options.clock,
    limits: options.limits,
    handlers: {
      onReady: (message) => {
        replica = message.replica?.id ?? '';
        options.onRelayVersion(message.relay_version);
        // First, so that STATUS is that of a node with this link.
        events.onReady(message);
        reporter.start();
        options.operations.attach(session, replica);
      },
      onOpen: (head, stream) => options.serve(head, stream, replica),
      onCommand: (message) => {
        options.operations.take(message, replica);
      },
      onReplicas: (message) => {
        events.onReplicas(message);
      },
      onGoAway: (message) => {
        events.onGoAway(message);
      },
      onClosed: (reason, detail) => {
        reporter.stop();
        options.operations.detach(session);
        events.onClosed(endingOf(closeCode), describeClose(reason, detail, closeCode));
      },
      onHandlerError: options.onUnexpected,
    },
  });
  // Not spread: an object that is made so has a hidden class of its own, 400 bytes of each link.
  const reporter = new NodeReporter({
    session,
    models$: reports.models$,
    status: () => reports.status(replica),
    statusChanged$: reports.statusChanged$,
    hasSeveralLinks: reports.hasSeveralLinks,
    clock: reports.clock,
    timers: reports.timers,
    onUnsendable: reports.onUnsendable,
  });

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
    if (payload.toString() === String(probes)) unanswered = false;
    session.ponged();
  });
  socket.on('close', (code: number) => {
    closeCode = code;
    session.closed();
  });

  return {
    get openStreams() {
      return session.openStreams;
    },
    get roundTripMs() {
      return session.roundTripMs;
    },
    start: () => {
      session.hello(options.hello());
      socket.resume();
    },
    goAway: () => {
      session.goAway({ reason: 'draining', reconnect_in_ms: 0 });
    },
    close: () => {
      session.close(LinkCloseCode.goingAway);
    },
    probe: () => {
      probes += 1;
      unanswered = true;
      if (socket.readyState === socket.OPEN) socket.ping(String(probes));
    },
    get unanswered() {
      return unanswered;
    },
    tick: () => {
      session.tick();
    },
  };
}

function endingOf(closeCode: number | undefined): LinkEnding {
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
