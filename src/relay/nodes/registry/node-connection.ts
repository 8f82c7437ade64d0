import type { Clock } from '../../../kernel/clock.js';
import { FixedWindow } from '../../../kernel/fixed-window.js';
import type { AccountId, ClusterId, NodeId } from '../../../kernel/ids.js';
import { LINK_VERSION } from '../../../link/codec/frame-types.js';
import { LinkCloseCode, type LinkCloseReason } from '../../../link/link-errors.js';
import type {
  CommandMessage,
  HelloMessage,
  InventoryMessage,
  OpenMessage,
  ProgressMessage,
  ReadyMessage,
  ReplicasMessage,
  ResultMessage,
  StatusMessage,
} from '../../../link/messages.js';
import type { RelayLinkSession, RelaySessionHandlers } from '../../../link/session/relay-session.js';
import type { RelayLinkStream } from '../../../link/stream/relay-stream.js';
import type { LinkTransport } from '../../../link/transport.js';
import type { LinkIdentity, NodeSettings } from '../handshake/link-identity.js';
import type { CheckedResponse } from './checked-response.js';
import { NodeInventory } from './node-inventory.js';
import { ProblemTimes } from './problem-times.js';
import type { ReplicaAnnouncements } from './replica-announcements.js';
import type { EvictionReason, ArbitratedLink, ArbitrationOutcome } from './link-arbiter.js';
import type { CommandedNode, OperationReports } from './operation-reports.js';
import type { NodeChange, ReportedModel } from './online-node.js';

/**
 * INVENTORY and STATUS together. A node sends INVENTORY on change, and STATUS at most once a second, or with several links up to 20 times,
 * so that no replica waits for a slot that is free.
 */
const REPORTS_PER_MINUTE = 2_400;
/** PROGRESS and RESULT together: four a second of eight operations at once, and what a node repeats after READY. */
const OPERATION_REPORTS_PER_MINUTE = 2_400;
const MINUTE_MS = 60_000;

/** The registry, as a link uses it. */
export interface LinkHost {
  /** HELLO has arrived. A refused link is closed. */
  take(connection: NodeConnection): ArbitrationOutcome;
  /** Ignored unless the link is the active one of its node. */
  announce(connection: NodeConnection, kind: NodeChange['kind']): void;
  /** Listener for operations; null unless the link is the active one of its node. */
  operationReports(connection: NodeConnection): OperationReports | null;
  leave(connection: NodeConnection, reason: LinkCloseReason, detail: string): void;
  handlerFailed(connection: NodeConnection, error: unknown): void;
}

export type LinkSession = Pick<
  RelayLinkSession,
  | 'available'
  | 'openStreams'
  | 'freeStreams'
  | 'roundTripMs'
  | 'ready'
  | 'open'
  | 'sendCommand'
  | 'sendReplicas'
  | 'goAway'
  | 'close'
  | 'tick'
>;

export interface NodeConnectionOptions {
  readonly identity: LinkIdentity;
  readonly transport: LinkTransport;
  readonly host: LinkHost;
  readonly clock: Clock;
  readonly relayVersion: string;
  readonly limits: ReadyMessage['limits'];
  /** This replica, as READY names it. */
  readonly replica: NonNullable<ReadyMessage['replica']>;
  readonly replicas: Pick<ReplicaAnnouncements, 'current' | 'staying'>;
  readonly modelLimit: number;
  /** With more than this unsent, the node is sent no new requests until its connection has caught up. */
  readonly congestedBytes: number;
  readonly createSession: (handlers: RelaySessionHandlers) => LinkSession;
}

/** A superseded agent on another computer must not compete for the link (docs/reference/security.md#nodes). */
const SUPERSEDED_RECONNECT_MS = 60_000;

/** Link of one node: applies its reports, and is the `OnlineNode` of routing while it is active. */
export class NodeConnection implements CommandedNode, ArbitratedLink, RelaySessionHandlers {
  readonly inventory: NodeInventory;
  private readonly session: LinkSession;
  private settings: NodeSettings;
  private lastHello: HelloMessage | null = null;
  private lastStatus: StatusMessage | null = null;
  private readonly problems = new ProblemTimes();
  private admitted = false;
  private retired = false;
  private leaving = false;
  /** As it was last announced: more unsent than the relay may buffer, or as many requests as the link may have. */
  private congested = false;
  /** Of one link, since each costs work that no request pays for. */
  private readonly reports: FixedWindow;
  private readonly operationReports: FixedWindow;

  constructor(private readonly options: NodeConnectionOptions) {
    this.settings = options.identity;
    this.inventory = new NodeInventory(options.modelLimit);
    this.reports = new FixedWindow(options.clock, MINUTE_MS, REPORTS_PER_MINUTE);
    this.operationReports = new FixedWindow(options.clock, MINUTE_MS, OPERATION_REPORTS_PER_MINUTE);
    this.session = options.createSession(this);
  }

  get nodeId(): NodeId {
    return this.options.identity.nodeId;
  }

  get accountId(): AccountId {
    return this.options.identity.accountId;
  }

  get clusterId(): ClusterId {
    return this.settings.clusterId;
  }

  get name(): string {
    return this.settings.name;
  }

  get epoch(): number {
    return this.options.identity.epoch;
  }

  get processId(): string {
    return this.lastHello?.process_id ?? '';
  }

  get hello(): HelloMessage | null {
    return this.lastHello;
  }

  get models(): ReadonlyMap<string, ReportedModel> {
    return this.inventory.models;
  }

  get status(): StatusMessage | null {
    return this.lastStatus;
  }

  get hasReported(): boolean {
    return this.inventory.complete && this.lastStatus !== null;
  }

  /** Engine names with the moments since when they have been known not to serve, in milliseconds since 1970. */
  get problemsSinceMs(): ReadonlyMap<string, number> {
    return this.problems.sinceMs;
  }

  /** Whether READY was sent: a link may close before its HELLO arrives, or be refused. */
  get wasAdmitted(): boolean {
    return this.admitted;
  }

  /** Whether the node said that it leaves: it was stopped, and has not died. */
  get saidGoodbye(): boolean {
    return this.leaving;
  }

  get acceptsWork(): boolean {
    return (
      this.session.available &&
      !this.congestedNow &&
      !this.settings.paused &&
      this.lastStatus?.paused !== true &&
      this.lastStatus?.draining !== true
    );
  }

  /** Computed for each request: between two ticks a burst of uploads could go to a node that has stopped reading. */
  private get congestedNow(): boolean {
    return (this.options.transport.bufferedBytes ?? 0) > this.options.congestedBytes;
  }

  get roundTripMs(): number | null {
    return this.session.roundTripMs;
  }

  get openStreams(): number {
    return this.session.openStreams;
  }

  get freeStreams(): number {
    return this.session.freeStreams;
  }

  /** Takes effect with the next request; running ones are not affected. */
  adopt(settings: NodeSettings): void {
    this.settings = settings;
  }

  open(head: OpenMessage, body: Buffer, handler: CheckedResponse): RelayLinkStream {
    handler.validate(head);
    return this.session.open(head, body, handler);
  }

  sendCommand(message: CommandMessage): boolean {
    return this.session.sendCommand(message);
  }

  /** About once a second. */
  tick(): void {
    this.session.tick();
    if (this.retired && this.session.openStreams === 0) this.session.close(LinkCloseCode.normal, 'superseded');
    const congested = this.congestedNow || this.session.freeStreams === 0;
    if (congested === this.congested) return;
    this.congested = congested;
    this.options.host.announce(this, 'status');
  }

  /** The relay is shutting down: the node is sent away, running requests may finish. */
  drain(reconnectInMs: number): void {
    if (!this.admitted) {
      this.close();
      return;
    }
    this.session.goAway({
      reason: 'draining',
      reconnect_in_ms: reconnectInMs,
      replicas: this.options.replicas.staying(),
    });
  }

  /** Replicas of the relay came or went. */
  sendReplicas(message: ReplicasMessage): void {
    this.session.sendReplicas(message);
  }

  /** Streams that are still open are lost. */
  close(): void {
    this.session.close(LinkCloseCode.goingAway, 'draining');
  }

  retire(): void {
    this.retired = true;
    this.session.goAway({ reason: 'superseded', reconnect_in_ms: SUPERSEDED_RECONNECT_MS });
  }

  evict(reason: EvictionReason): void {
    if (this.admitted) this.session.goAway({ reason: 'superseded', reconnect_in_ms: SUPERSEDED_RECONNECT_MS });
    this.session.close(LinkCloseCode.superseded, reason);
  }

  revoke(): void {
    this.session.close(LinkCloseCode.revoked, 'revoked');
  }

  /** Takes over the reports of an older link of the same agent process. */
  inherit(older: NodeConnection): void {
    this.inventory.inherit(older.inventory);
    this.lastStatus = older.lastStatus;
    this.problems.inherit(older.problems);
  }

  onHello(message: HelloMessage): void {
    const { host, clock, limits, relayVersion, replica, replicas } = this.options;
    if (!message.protocol_versions.includes(LINK_VERSION)) {
      this.session.close(LinkCloseCode.unsupportedVersion, `link version ${LINK_VERSION} is needed`);
      return;
    }
    this.lastHello = message;
    if (host.take(this) === 'refused') return;
    this.session.ready({
      protocol_version: LINK_VERSION,
      relay_version: relayVersion,
      epoch: this.epoch,
      relay_time_ms: clock.wallMs(),
      node_name: this.settings.name,
      limits,
      features: [],
      replica,
      replicas: replicas.current(),
    });
    this.admitted = true;
    host.announce(this, 'connected');
    if (this.inventory.complete) host.announce(this, 'inventory');
    host.operationReports(this)?.onNodeReady(this);
  }

  onInventory(message: InventoryMessage): void {
    if (!this.within(this.reports)) return;
    const outcome = this.inventory.apply(message);
    switch (outcome) {
      case 'applied':
        this.options.host.announce(this, 'inventory');
        return;
      case 'incomplete':
        return;
      case 'out_of_order':
      case 'too_many_models':
        this.session.close(LinkCloseCode.protocolError, `inventory ${outcome}`);
        return;
      default:
        outcome satisfies never;
    }
  }

  onStatus(message: StatusMessage): void {
    if (!this.within(this.reports)) return;
    this.lastStatus = message;
    this.problems.note(message.engines, this.options.clock.wallMs());
    this.options.host.announce(this, 'status');
  }

  onProgress(message: ProgressMessage): void {
    if (this.within(this.operationReports)) this.options.host.operationReports(this)?.onProgress(this, message);
  }

  onResult(message: ResultMessage): void {
    if (this.within(this.operationReports)) this.options.host.operationReports(this)?.onResult(this, message);
  }

  onGoAway(): void {
    this.leaving = true;
    // The session takes no new streams from here on; routing sees it in `acceptsWork`.
    this.options.host.announce(this, 'status');
  }

  onClosed(reason: LinkCloseReason, detail: string): void {
    this.options.host.leave(this, reason, detail);
  }

  onHandlerError(error: unknown): void {
    this.options.host.handlerFailed(this, error);
  }

  private within(allowance: FixedWindow): boolean {
    const allowed = allowance.take();
    if (!allowed) this.session.close(LinkCloseCode.protocolError, 'too many reports');
    return allowed;
  }
}
