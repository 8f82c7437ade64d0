import type { IncomingMessage } from 'node:http';
import { Inject, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { WebSocketGateway, type OnGatewayConnection } from '@nestjs/websockets';
import type { WebSocket } from 'ws';
import { systemClock } from '../../../kernel/clock.js';
import { LINK_CHECK_SUBPROTOCOL, LINK_SUBPROTOCOL } from '../../../link/codec/frame-types.js';
import type { LinkLimits } from '../../../link/link-limits.js';
import { RelayLinkSession } from '../../../link/session/relay-session.js';
import { YoungBuffers } from '../../platform/http/fast-path/young-buffers.js';
import { RELAY_CONFIG, type RelayConfig } from '../../platform/config/relay-config.js';
import { MAX_LINKS } from '../../../link/messages.js';
import { processMeters } from '../../platform/metrics/relay-meters.js';
import { identityOf, LINK_PATH } from '../handshake/link-ws-adapter.js';
import type { LinkIdentity } from '../handshake/link-identity.js';
import { NodeConnection, type NodeConnectionOptions } from './node-connection.js';
import { NodeRegistry } from './node-registry.js';
import { ReplicaAnnouncements } from './replica-announcements.js';
import { SocketTransport } from './socket-transport.js';

const TICK_MS = 1_000;
const PONG_BACKLOG_BYTES = 1_048_576;
const NORMAL_CLOSURE = 1000;
const CHECK_CLOSE_TIMEOUT_MS = 2_000;

/** Creates a session for the WebSocket of each node and adds it to the registry. `LinkWsAdapter` has authenticated the node. */
@WebSocketGateway({
  path: LINK_PATH,
  handleProtocols: (offered: Set<string>) =>
    [LINK_CHECK_SUBPROTOCOL, LINK_SUBPROTOCOL].find((subprotocol) => offered.has(subprotocol)) ?? false,
})
export class LinkGateway implements OnGatewayConnection, OnModuleInit, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private readonly shared: SharedByLinks;
  private readonly youngBuffers: YoungBuffers | undefined;

  constructor(
    private readonly registry: NodeRegistry,
    private readonly replicas: ReplicaAnnouncements,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {
    this.shared = sharedByLinks(config);
    this.youngBuffers = config.settings.fastPath === 'on' ? new YoungBuffers() : undefined;
  }

  onModuleInit(): void {
    // Shorter than a second where the timeouts are (in tests).
    const { linkPingIntervalMs, linkHandshakeTimeoutMs } = this.config.settings;
    const tickMs = Math.min(TICK_MS, linkPingIntervalMs / 4, linkHandshakeTimeoutMs / 4);
    this.timer = setInterval(() => {
      this.registry.tick();
    }, tickMs).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /**
   * Synchronous, because frames that came with the handshake follow at once; and it never throws, because Nest would take the
   * whole process down with it.
   */
  handleConnection(socket: WebSocket, request: IncomingMessage): void {
    const identity = identityOf(request);
    if (identity === undefined) {
      endCheck(socket);
      return;
    }
    try {
      this.connect(socket, identity);
    } catch {
      socket.terminate();
    }
  }

  private connect(socket: WebSocket, identity: LinkIdentity): void {
    const { settings, version } = this.config;
    const { ready, replica, session: limits } = this.shared;
    const transport = new SocketTransport(socket);
    const connection = new NodeConnection({
      identity,
      transport,
      host: this.registry,
      clock: systemClock,
      relayVersion: version,
      modelLimit: settings.linkModelLimit,
      congestedBytes: settings.linkMaxOutstandingBytes,
      limits: ready,
      replica,
      replicas: this.replicas,
      createSession: (handlers) => {
        const session = new RelayLinkSession({ transport, clock: systemClock, handlers, limits });
        feed(session, socket, this.youngBuffers);
        return session;
      },
    });
    this.registry.add(connection);
  }
}

/** The same of all links, so they are kept once. */
interface SharedByLinks {
  readonly ready: NodeConnectionOptions['limits'];
  readonly replica: NodeConnectionOptions['replica'];
  readonly session: LinkLimits;
}

const sharedByLinks = ({ settings, replicaId, primary }: RelayConfig): SharedByLinks => {
  // A node at home on every worker needs no other worker between it and a client, and no bus that others may lose.
  const maxLinks = Math.min(MAX_LINKS, settings.linkMaxLinks * (primary?.workers ?? 1));
  return {
    ready: {
      max_streams: settings.linkMaxStreams,
      to_node_window_bytes: settings.linkToNodeWindowBytes,
      to_relay_window_bytes: settings.linkToRelayWindowBytes,
      max_outstanding_bytes: settings.linkMaxOutstandingBytes,
    },
    replica: { id: replicaId, link_address: settings.linkUrl ?? null, max_links: maxLinks },
    session: {
      handshakeTimeoutMs: settings.linkHandshakeTimeoutMs,
      pingIntervalMs: settings.linkPingIntervalMs,
      deadAfterMs: settings.linkDeadAfterMs,
      backpressureTimeoutMs: settings.linkBackpressureTimeoutMs,
    },
  };
};

function feed(session: RelayLinkSession, socket: WebSocket, youngBuffers: YoungBuffers | undefined): void {
  socket.on('message', (message: Buffer, isBinary: boolean) => {
    processMeters.linkBytes.add(message.length, 'to_relay');
    session.receive(message, isBinary);
    youngBuffers?.passed(message.length);
  });
  socket.on('pong', () => {
    session.ponged();
  });
  socket.on('ping', (payload: Buffer) => {
    session.pinged();
    if (socket.readyState === socket.OPEN && socket.bufferedAmount < PONG_BACKLOG_BYTES) socket.pong(payload);
  });
  socket.on('close', () => {
    session.closed();
  });
}

/** Closed with a WebSocket close frame, which shows the other side that frames arrive, too. */
function endCheck(socket: WebSocket): void {
  socket.close(NORMAL_CLOSURE);
  const late = setTimeout(() => {
    socket.terminate();
  }, CHECK_CLOSE_TIMEOUT_MS).unref();
  socket.once('close', () => {
    clearTimeout(late);
  });
}
