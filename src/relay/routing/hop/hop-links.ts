import { randomInt } from 'node:crypto';
import type { Clock, Rng } from '../../../kernel/clock.js';
import type { ReplicaId } from '../../../kernel/ids.js';
import { LINK_VERSION } from '../../../link/codec/frame-types.js';
import { LinkProtocolError, type LinkCloseReason } from '../../../link/link-errors.js';
import type { LinkLimits } from '../../../link/link-limits.js';
import type { OpenMessage, ReadyMessage } from '../../../link/messages.js';
import { NodeLinkSession } from '../../../link/session/node-session.js';
import { RelayLinkSession } from '../../../link/session/relay-session.js';
import type { NodeLinkStream, NodeStreamHandler } from '../../../link/stream/node-stream.js';
import type { BusTransport } from '../../replicas/bus/bus-transport.js';
import { decodeHopMessage, encodeHopMessage, type HopMessage } from './hop-message.js';
import { HOP_TOPIC, HopTransport } from './hop-transport.js';

export interface HopLinksOptions {
  readonly bus: BusTransport;
  readonly replicaId: ReplicaId;
  readonly version: string;
  readonly clock: Clock;
  readonly random: Rng;
  readonly limits: ReadyMessage['limits'];
  readonly times: LinkLimits;
  readonly streamsIntervalMs: number;
  /** A request of another replica for a node of this one. */
  readonly onOpen: (head: OpenMessage, stream: NodeLinkStream, from: ReplicaId) => NodeStreamHandler;
  /** Requests to this replica are possible from now on, or not any more. */
  readonly onChange: (peer: ReplicaId) => void;
  readonly onEnded: (peer: ReplicaId, reason: LinkCloseReason, detail: string) => void;
  readonly onError: (error: unknown) => void;
}

interface Link<Session> {
  readonly transport: HopTransport;
  readonly session: Session;
}

interface Outgoing {
  link: Link<RelayLinkSession> | null;
  retryMs: number;
  /** Monotonic. */
  dialAfterMs: number;
}

/** Replicas with a link in one direction. As many as presence knows. */
const MAX_PEERS = 256;
const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 5_000;
const LINK_NUMBERS = 2 ** 32;
const EMPTY = new Uint8Array(0);
/** In HELLO and READY, which are those of a node's link. */
const REPLICA_NAME = 'replica';

/**
 * Links between this replica and others, at most two for each pair: of one this replica is the ingress, of the other the owner. They are
 * ordinary links with the frames, credit and liveness of a node's link; only the connection is another one.
 */
export class HopLinks {
  private readonly outgoing = new Map<ReplicaId, Outgoing>();
  private readonly incoming = new Map<ReplicaId, Link<NodeLinkSession>>();
  private draining = false;

  constructor(private readonly options: HopLinksOptions) {}

  /** @returns ends the subscription and all links */
  start(): () => void {
    const { bus } = this.options;
    const unsubscribe = bus.subscribe(HOP_TOPIC, (from, bytes) => {
      const message = decodeHopMessage(bytes);
      if (message === undefined) return;
      if (message.side === 'owner') this.onOwnerMessage(from, message);
      else this.onIngressMessage(from, message);
    });
    const status = bus.status$.subscribe((now) => {
      if (now === 'connected') this.tick();
      else this.loseAll();
    });
    return () => {
      unsubscribe();
      status.unsubscribe();
      for (const { link } of this.outgoing.values()) link?.session.close();
      for (const { session } of this.incoming.values()) session.close();
      this.outgoing.clear();
    };
  }

  /** Streams of other replicas that run here. */
  get openStreams(): number {
    let streams = 0;
    for (const { session } of this.incoming.values()) streams += session.openStreams;
    return streams;
  }

  /** The session for requests to this replica; null: there is none now. */
  sessionTo(peer: ReplicaId): RelayLinkSession | null {
    const session = this.outgoing.get(peer)?.link?.session;
    return session?.available === true ? session : null;
  }

  /** Keeps a link to exactly these replicas. */
  keep(peers: ReadonlySet<ReplicaId>): void {
    for (const [peer, { link }] of this.outgoing) {
      if (peers.has(peer)) continue;
      // The requests of the replica still run, and one that is gone ends them itself.
      if (link !== null && link.session.openStreams > 0) continue;
      this.outgoing.delete(peer);
      link?.session.close();
    }
    for (const peer of peers) {
      if (this.outgoing.has(peer) || this.outgoing.size >= MAX_PEERS) continue;
      this.outgoing.set(peer, { link: null, retryMs: FIRST_RETRY_MS, dialAfterMs: -Infinity });
      this.dialIfDue(peer);
    }
  }

  /** A few times a second. */
  tick(): void {
    for (const [peer, { link }] of this.outgoing) {
      link?.session.tick();
      this.dialIfDue(peer);
    }
    for (const { session } of this.incoming.values()) session.tick();
  }

  /** The relay stops: other replicas send no more requests, and those that run may finish. */
  drain(): void {
    this.draining = true;
    for (const { session } of this.incoming.values()) session.goAway({ reason: 'draining', reconnect_in_ms: 0 });
  }

  private loseAll(): void {
    for (const { link } of [...this.outgoing.values()]) link?.transport.lost();
    for (const { transport } of [...this.incoming.values()]) transport.lost();
  }

  private dialIfDue(peer: ReplicaId): void {
    const { bus, clock, times, onError, onChange } = this.options;
    const entry = this.outgoing.get(peer);
    if (entry === undefined || entry.link !== null || bus.status !== 'connected') return;
    if (this.draining || clock.monotonicMs() < entry.dialAfterMs) return;
    const transport = new HopTransport({ bus, peer, side: 'ingress', link: randomInt(LINK_NUMBERS) });
    const session: RelayLinkSession = new RelayLinkSession({
      transport,
      clock,
      limits: times,
      handlers: {
        onHello: () => {
          this.admit(session);
          entry.retryMs = FIRST_RETRY_MS;
          onChange(peer);
        },
        onInventory: refuse,
        onStatus: refuse,
        onProgress: refuse,
        onResult: refuse,
        onGoAway: () => {
          onChange(peer);
        },
        onClosed: (reason, detail) => {
          this.outgoingEnded(peer, entry, reason, detail);
        },
        onHandlerError: onError,
      },
    });
    entry.link = { transport, session };
    transport.attach(session);
    transport.connect();
  }

  private admit(session: RelayLinkSession): void {
    const { version, clock, limits, replicaId } = this.options;
    session.ready({
      protocol_version: LINK_VERSION,
      relay_version: version,
      epoch: 0,
      relay_time_ms: clock.wallMs(),
      limits,
      features: [],
      node_name: REPLICA_NAME,
      replica: { id: replicaId, link_address: null, max_links: 1 },
      replicas: { live: 1, link_addresses: [] },
    });
  }

  private outgoingEnded(peer: ReplicaId, entry: Outgoing, reason: LinkCloseReason, detail: string): void {
    const { clock, random, onChange, onEnded } = this.options;
    entry.link = null;
    entry.dialAfterMs = clock.monotonicMs() + entry.retryMs * (1 + random());
    entry.retryMs = Math.min(2 * entry.retryMs, LONGEST_RETRY_MS);
    onEnded(peer, reason, detail);
    onChange(peer);
  }

  private onOwnerMessage(from: ReplicaId, message: HopMessage): void {
    const link = this.outgoing.get(from)?.link;
    if (link?.transport.link === message.link) link.transport.receive(message);
    else this.refuseUnknown(from, message, 'ingress');
  }

  private onIngressMessage(from: ReplicaId, message: HopMessage): void {
    if (message.kind === 'connect') this.accept(from, message);
    const link = this.incoming.get(from);
    if (link?.transport.link === message.link) link.transport.receive(message);
    else this.refuseUnknown(from, message, 'owner');
  }

  /** This replica has lost the link, for example its connection to NATS for a moment: the other end learns it at once. */
  private refuseUnknown(peer: ReplicaId, { kind, link }: HopMessage, side: HopMessage['side']): void {
    if (kind === 'close') return;
    this.options.bus.publish(
      HOP_TOPIC,
      encodeHopMessage({ kind: 'close', side, link, sequence: 0, payload: EMPTY }),
      peer,
    );
  }

  /** A new link of the same ingress: the one before is lost at its end. */
  private accept(from: ReplicaId, { link }: HopMessage): void {
    const { bus, clock, times, streamsIntervalMs, version, replicaId, onOpen, onEnded, onError } = this.options;
    this.incoming.get(from)?.transport.lost();
    if (this.incoming.size >= MAX_PEERS) return;
    const transport = new HopTransport({ bus, peer: from, side: 'owner', link });
    const session: NodeLinkSession = new NodeLinkSession({
      transport,
      clock,
      limits: { ...times, streamsIntervalMs },
      handlers: {
        onReady: () => {
          if (this.draining) session.goAway({ reason: 'draining', reconnect_in_ms: 0 });
        },
        onOpen: (head, stream) => onOpen(head, stream, from),
        onCommand: refuse,
        onGoAway: () => undefined,
        onClosed: (reason, detail) => {
          if (this.incoming.get(from)?.transport === transport) this.incoming.delete(from);
          onEnded(from, reason, detail);
        },
        onHandlerError: onError,
      },
    });
    this.incoming.set(from, { transport, session });
    transport.attach(session);
    session.hello({
      protocol_versions: [LINK_VERSION],
      agent_version: version,
      process_id: replicaId,
      node_name: REPLICA_NAME,
      platform: 'relay',
      engines: [],
      features: [],
    });
  }
}

/** Replicas tell their nodes over the bus. */
function refuse(): never {
  throw new LinkProtocolError('not for the link between replicas');
}
