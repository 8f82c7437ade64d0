import { Logger } from '@nestjs/common';
import type { Clock, Rng } from '../../../kernel/clock.js';
import type { AccountId, NodeId, ReplicaId } from '../../../kernel/ids.js';
import type { OpenMessage } from '../../../link/messages.js';
import type { NodeLinkStream, NodeStreamHandler } from '../../../link/stream/node-stream.js';
import type { Placement } from '../../inventory/model-entry.js';
import type { NodeRegistry } from '../../nodes/registry/node-registry.js';
import type { OnlineNode } from '../../nodes/registry/online-node.js';
import type { ReachableNodes } from '../../nodes/registry/reachable-nodes.js';
import { nextToken } from '../admission/request-token.js';
import type { RelayConfig } from '../../platform/config/relay-config.js';
import type { BodyBudget } from '../../platform/http/body/body-budget.js';
import type { PresenceTable } from '../../replicas/presence/presence-table.js';
import type { BusTransport } from '../../replicas/bus/bus-transport.js';
import type { MessageBus } from '../../replicas/bus/message-bus.js';
import type { RoutingService } from '../routing.service.js';
import { ForwardedRequest } from './forwarded-request.js';
import { HopLinks } from './hop-links.js';
import { collectFacts, factsResponse, nodeFactsTopic } from './node-facts.js';
import { RemoteNodeDirectory } from './remote-node-directory.js';

export interface HopServiceOptions {
  readonly bus: Pick<MessageBus, 'request' | 'respond'>;
  readonly transport: BusTransport;
  readonly table: Pick<PresenceTable, 'find' | 'nodeChanges$' | 'nodes' | 'replicas'>;
  readonly registry: Pick<NodeRegistry, 'changes$'> & {
    find(accountId: AccountId, nodeId: NodeId): OnlineNode | undefined;
  };
  readonly reachable: Pick<ReachableNodes, 'putRemote' | 'remoteStatusChanged' | 'dropRemote'>;
  readonly prepare: (accountId: AccountId) => Promise<void>;
  readonly slots: Pick<RoutingService, 'takeSlot' | 'freeSlot'>;
  readonly budget: Pick<BodyBudget, 'open'>;
  readonly clock: Clock;
  readonly random: Rng;
  readonly config: Pick<RelayConfig, 'settings' | 'version' | 'replicaId'>;
}

const LINK_TICK_MS = 250;
const DIRECTORY_TICK_MS = 1_000;
const QUERY_TIMEOUT_MS = 2_000;
const STREAMS_INTERVAL_MS = 30_000;
const HANDSHAKE_TIMEOUT_MS = 2_000;

/** Nothing that arrives for a refused request matters. */
const refusedRequest: NodeStreamHandler = { onBody: () => undefined, onReset: () => undefined };

/** Passes requests on to replicas that have the node, and takes those of other replicas for the nodes of this one. */
export class HopService {
  private readonly logger = new Logger('Replicas');
  private readonly links: HopLinks;
  private readonly directory: RemoteNodeDirectory;
  private ends: (() => void)[] = [];

  constructor(private readonly options: HopServiceOptions) {
    const { transport, table, registry, reachable, prepare, clock, random, config, bus } = options;
    const { settings, version, replicaId } = config;
    this.links = new HopLinks({
      bus: transport,
      replicaId,
      version,
      clock,
      random,
      limits: {
        max_streams: settings.hopMaxStreams,
        to_node_window_bytes: settings.linkToNodeWindowBytes,
        to_relay_window_bytes: settings.linkToRelayWindowBytes,
        max_outstanding_bytes: settings.linkMaxOutstandingBytes,
      },
      times: {
        handshakeTimeoutMs: HANDSHAKE_TIMEOUT_MS,
        pingIntervalMs: settings.hopPingIntervalMs,
        deadAfterMs: settings.hopDeadAfterMs,
        backpressureTimeoutMs: settings.linkBackpressureTimeoutMs,
      },
      streamsIntervalMs: STREAMS_INTERVAL_MS,
      onOpen: (head, stream) => this.onOpen(head, stream),
      onChange: (peer) => {
        this.directory.peerChanged(peer);
      },
      onEnded: (replica, reason, detail) => {
        this.logger.log('link to a replica closed', { replica, reason, detail });
      },
      onError: (error) => {
        this.logger.error('link to a replica failed', { stack: error instanceof Error ? error.stack : String(error) });
      },
    });
    this.directory = new RemoteNodeDirectory({
      table,
      routes: {
        clock,
        costMs: settings.hopCostMs,
        places: (accountId, nodeId) => table.find(accountId, nodeId),
        sessionTo: (replica) => this.links.sessionTo(replica),
      },
      local: registry,
      reachable,
      prepare,
      query: ({ replicaId: replica, accountId: account, nodeId: node }) =>
        collectFacts(async (part) => {
          const response = await bus.request(replica, nodeFactsTopic, { account, node, part }, QUERY_TIMEOUT_MS);
          return response.ok ? response.reply : null;
        }),
      onPeers: (peers: ReadonlySet<ReplicaId>) => {
        this.links.keep(peers);
      },
    });
  }

  start(): void {
    const { bus, registry } = this.options;
    const linkTimer = setInterval(() => {
      this.links.tick();
    }, LINK_TICK_MS).unref();
    const directoryTimer = setInterval(() => {
      this.directory.tick();
    }, DIRECTORY_TICK_MS).unref();
    this.ends = [
      bus.respond(nodeFactsTopic, ({ account, node, part }) => factsResponse(registry.find(account, node), part)),
      this.links.start(),
      () => {
        clearInterval(linkTimer);
        clearInterval(directoryTimer);
        this.directory.stop();
      },
    ];
    this.directory.start();
  }

  /** Running requests may finish; they are on the links of nodes, which are waited for. */
  drain(): Promise<void> {
    this.links.drain();
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    for (const end of this.ends.splice(0)) end();
    await this.options.transport.close();
  }

  private onOpen(head: OpenMessage, stream: NodeLinkStream): NodeStreamHandler {
    const { slots, budget, clock } = this.options;
    const accountId = head.scope as AccountId;
    // Refused before its body is sent. An owner never passes a request on: it asks its own nodes only.
    if (this.placementOf(accountId, head) === null) {
      stream.reject('stale');
      return refusedRequest;
    }
    const token = nextToken();
    const reservation = budget.open(accountId);
    try {
      reservation.grow(head.body_bytes);
    } catch {
      // Too many bodies are in memory: as with a slot, there may be room in a moment.
      stream.reject('busy');
      return refusedRequest;
    }
    return new ForwardedRequest(head, stream, {
      memory: reservation,
      placement: () => this.placementOf(accountId, head),
      takeSlot: (placement) => slots.takeSlot(token, placement),
      freeSlot: () => {
        slots.freeSlot(token, accountId);
      },
      nowMs: () => clock.monotonicMs(),
    });
  }

  private placementOf(accountId: AccountId, { node_id: nodeId, model_key: key, hop }: OpenMessage): Placement | null {
    if (hop !== 1 || nodeId === undefined) return null;
    const node = this.options.registry.find(accountId, nodeId as NodeId);
    const report = node?.models.get(key);
    return node?.acceptsWork === true && report !== undefined ? { node, report } : null;
  }
}
