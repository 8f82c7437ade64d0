/** Replicas that pass requests on to each other in one process: the real links and sessions, over a bus that keeps messages in memory. */
import { Logger } from '@nestjs/common';
import { Subject } from 'rxjs';
import { systemClock } from '../../../src/kernel/clock.js';
import { createReplicaId, type NodeId } from '../../../src/kernel/ids.js';
import { loadSettings } from '../../../src/kernel/settings/settings.js';
import type { EndMessage, OpenMessage, RejectReason } from '../../../src/link/messages.js';
import type { RelayLinkStream, RelayStreamLoss } from '../../../src/link/stream/relay-stream.js';
import { HopService } from '../../../src/relay/routing/hop/hop.service.js';
import { CheckedResponse } from '../../../src/relay/nodes/registry/checked-response.js';
import type { NodeChange, OnlineNode } from '../../../src/relay/nodes/registry/online-node.js';
import { relaySettings } from '../../../src/relay/platform/config/relay-settings.js';
import { BodyBudget } from '../../../src/relay/platform/http/body/body-budget.js';
import { RemoteNode } from '../../../src/relay/replicas/presence/remote-nodes.js';
import { LocalNetwork, LocalTransport } from '../../../src/relay/replicas/bus/local-transport.js';
import { MessageBus } from '../../../src/relay/replicas/bus/message-bus.js';
import { decodeMessage } from '../../../src/link/codec/frame-codec.js';
import { CONTROL_STREAM, frameName, FrameType } from '../../../src/link/codec/frame-types.js';
import { decodeHopMessage } from '../../../src/relay/routing/hop/hop-message.js';
import { openHead } from '../link/link-pair.js';
import { account, FakeNode } from '../relay/routing-fleet.js';

Logger.overrideLogger(false);

const MEBIBYTE = 1_048_576;

/** One request at the engine of a node. */
export interface NodeCall {
  readonly head: OpenMessage;
  readonly body: Buffer;
  /** To the relay. */
  readonly response: CheckedResponse;
  readonly resets: string[];
  /** Bytes of the response that the relay has returned as credit. */
  consumedBytes: number;
}

export class HopNetwork {
  readonly requests = new LocalNetwork();
  readonly streams = new LocalNetwork();
  readonly replicas: HopReplica[] = [];

  add(): HopReplica {
    const replica = new HopReplica(this);
    this.replicas.push(replica);
    return replica;
  }

  async stop(): Promise<void> {
    await Promise.all(this.replicas.map((replica) => replica.stop()));
  }
}

export class HopReplica {
  readonly id = createReplicaId();
  readonly budget = new BodyBudget({ totalBytes: 32 * MEBIBYTE, perAccountBytes: 16 * MEBIBYTE });
  /** Requests at its own nodes. */
  readonly calls: NodeCall[] = [];
  /** Requests that have taken a slot here. */
  readonly slots = new Set<number>();
  slotsLeft = 2;
  /** Nodes that it knows through others. */
  readonly remote = new Map<NodeId, OnlineNode>();
  readonly transport: LocalTransport;
  private readonly nodes = new Map<NodeId, FakeNode>();
  private readonly elsewhere: RemoteNode[] = [];
  private readonly localChanges = new Subject<NodeChange>();
  private readonly remoteChanges = new Subject<RemoteNode>();
  private readonly hop: HopService;

  constructor(private readonly network: HopNetwork) {
    this.transport = new LocalTransport(this.id, network.streams);
    const limits = { busQueueMessages: 100, busConcurrentReplies: 64, busOutstandingRequests: 64 };
    const { values: settings } = loadSettings(relaySettings, { FERRY_HOP_PING_INTERVAL_MS: '100' });
    this.hop = new HopService({
      bus: new MessageBus(new LocalTransport(this.id, network.requests), limits),
      transport: this.transport,
      table: {
        find: (_account, nodeId) => this.elsewhere.filter((place) => place.nodeId === nodeId),
        nodeChanges$: this.remoteChanges,
        nodes: () => this.elsewhere.map(({ accountId, nodeId }) => [accountId, nodeId] as const),
        replicas: () => [],
      },
      registry: { changes$: this.localChanges, find: (_account, nodeId) => this.nodes.get(nodeId) },
      reachable: {
        putRemote: (node) => this.remote.set(node.nodeId, node),
        remoteStatusChanged: () => undefined,
        dropRemote: (_account, nodeId) => this.remote.delete(nodeId),
      },
      prepare: () => Promise.resolve(),
      slots: {
        takeSlot: (token) => this.slots.size < this.slotsLeft && Boolean(this.slots.add(token)),
        freeSlot: (token) => this.slots.delete(token),
      },
      budget: this.budget,
      clock: systemClock,
      random: () => 0,
      config: { settings, version: '0.1.0', replicaId: this.id },
    });
    this.hop.start();
  }

  /** A node with a link to this replica; the others are told. @param hasReported false: its models and status are on their way */
  connect(name: string, hasReported = true): FakeNode {
    const node = new FakeNode(name, {
      open: (head, body, response) => {
        const call: NodeCall = { head, body, response, resets: [], consumedBytes: 0 };
        this.calls.push(call);
        return streamOf(call);
      },
    });
    node.hasReported = hasReported;
    this.nodes.set(node.nodeId, node);
    this.localChanges.next({ accountId: node.accountId, nodeId: node.nodeId, kind: 'connected' });
    for (const other of this.network.replicas) if (other !== this) other.learn(this, node);
    return node;
  }

  /** Its models and status arrive. */
  report(node: FakeNode): void {
    node.hasReported = true;
    this.localChanges.next({ accountId: node.accountId, nodeId: node.nodeId, kind: 'status' });
  }

  /** The other replicas are not told yet. */
  lose({ nodeId, accountId }: FakeNode): void {
    this.nodes.delete(nodeId);
    this.localChanges.next({ accountId, nodeId, kind: 'disconnected' });
  }

  /** What others have told of the nodes, as presence keeps it. */
  get places(): readonly RemoteNode[] {
    return this.elsewhere;
  }

  /** @returns grows by each frame of a request that it sends to another replica, without credit */
  recordFrames(): string[] {
    const names: string[] = [];
    const publish = this.transport.publish.bind(this.transport);
    this.transport.publish = (topic, bytes, to) => {
      const message = decodeHopMessage(bytes);
      const frames = message?.kind === 'frames' ? decodeMessage(Buffer.from(message.payload)) : [];
      for (const { stream, type } of frames)
        if (stream !== CONTROL_STREAM && type !== FrameType.window) names.push(frameName(type));
      return publish(topic, bytes, to);
    };
    return names;
  }

  drain(): Promise<void> {
    return this.hop.drain();
  }

  stop(): Promise<void> {
    return this.hop.stop();
  }

  private learn(owner: HopReplica, { nodeId, accountId, clusterId }: FakeNode): void {
    const entry = { n: 1, node: nodeId, account: accountId, cluster: clusterId, epoch: 1, models: 1 };
    const place = new RemoteNode(owner.id, { ...entry, availability: 'free' });
    this.elsewhere.push(place);
    this.remoteChanges.next(place);
  }
}

/** The client's side of one request. */
export class RecordedResponse extends CheckedResponse {
  readonly log: string[] = [];
  /** null until it has ended in order. */
  end: EndMessage | null = null;
  receivedBytes = 0;
  /** Whether the client takes at once what has arrived. */
  reads = true;
  private waitingBytes = 0;

  send(
    node: OnlineNode,
    { body = Buffer.from('{}'), ...changes }: Partial<OpenMessage> & { body?: Buffer } = {},
  ): this {
    const head: OpenMessage = { ...openHead(body.length), scope: account, model_key: 'engine/tiny', ...changes };
    this.stream = node.open(head, body, this);
    return this;
  }

  /** The client leaves. @returns how the engine has stopped */
  cancel(): Promise<string> {
    return new Promise((resolve) => {
      this.over = true;
      this.stream?.reset('cancelled', (stopped) => {
        resolve(typeof stopped === 'string' ? stopped : stopped.outcome);
      });
    });
  }

  /** The client takes everything that has arrived, and what follows. */
  read(): void {
    this.reads = true;
    this.stream?.consumed(this.waitingBytes);
    this.waitingBytes = 0;
  }

  protected acknowledged(): void {
    this.log.push('ack');
  }
  protected refused(reason: RejectReason): void {
    this.log.push(`refused ${reason}`);
  }
  protected begun(): void {
    this.log.push('head');
  }
  protected received(bytes: Uint8Array): void {
    this.receivedBytes += bytes.length;
    this.waitingBytes += bytes.length;
    if (this.reads) this.read();
  }
  protected finished(end: EndMessage): void {
    this.end = end;
    this.log.push(end.outcome);
  }
  protected lost(loss: RelayStreamLoss): void {
    this.log.push(`lost ${loss}`);
  }
}

const streamOf = (call: NodeCall): RelayLinkStream => ({
  id: 1,
  consumed: (bytes) => {
    call.consumedBytes += bytes;
  },
  reset: (reason, onStopped) => {
    call.resets.push(reason);
    onStopped?.('none');
    return true;
  },
});
