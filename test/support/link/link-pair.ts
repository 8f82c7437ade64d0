/** Two link sessions connected by in-memory sockets, with a manual clock. */
import { ManualClock } from '../clock/manual-clock.js';
import { defaultLinkLimits } from '../../../src/link/link-limits.js';
import type {
  EndMessage,
  HeadMessage,
  HelloMessage,
  ModelReport,
  OpenMessage,
  ReadyMessage,
} from '../../../src/link/messages.js';
import { NodeLinkSession, type NodeSessionHandlers } from '../../../src/link/session/node-session.js';
import { RelayLinkSession, type RelaySessionHandlers } from '../../../src/link/session/relay-session.js';
import type { FlushMoment } from '../../../src/link/connection/frame-batcher.js';
import type { LinkTransport } from '../../../src/link/transport.js';
import { modelReport } from './model-report.js';

/** Queues flushes until the test runs them: one turn of the event loop by hand. */
export class FlushQueue {
  private readonly waiting: (() => void)[] = [];
  /** When each waiting flush is due. */
  readonly moments: FlushMoment[] = [];
  readonly schedule = (flush: () => void, moment: FlushMoment): void => {
    this.waiting.push(flush);
    this.moments.push(moment);
  };
  run(): boolean {
    const flushes = this.waiting.splice(0);
    this.moments.length = 0;
    for (const flush of flushes) flush();
    return flushes.length > 0;
  }
}

/** A socket that only records. */
export class FakeTransport implements LinkTransport {
  readonly sent: Buffer[] = [];
  pings = 0;
  closedWith: { code: number; reason: string } | undefined;
  terminated = false;
  bufferedBytes = 0;

  send(batch: Uint8Array): void {
    this.sent.push(Buffer.from(batch));
  }
  ping(): void {
    this.pings += 1;
  }
  close(code: number, reason: string): void {
    this.closedWith = { code, reason };
  }
  terminate(): void {
    this.terminated = true;
  }
}

export const readyFacts: ReadyMessage = {
  protocol_version: 1,
  relay_version: '0.1.0',
  epoch: 7,
  relay_time_ms: 1_700_000_000_000,
  limits: {
    max_streams: 64,
    to_node_window_bytes: 262_144,
    to_relay_window_bytes: 65_536,
    max_outstanding_bytes: 8_388_608,
  },
  features: [],
  node_name: 'desk',
  replica: { id: `rep_${'0'.repeat(32)}`, link_address: null, max_links: 1 },
  replicas: { live: 1, link_addresses: [] },
};

export const helloFacts: HelloMessage = {
  protocol_versions: [1],
  agent_version: '0.1.0',
  process_id: 'p1',
  node_name: 'desk',
  platform: 'linux-x64',
  engines: [{ name: 'llamacpp', kind: 'llamacpp', version: null }],
  features: [],
};

export const openHead = (bodyBytes: number): OpenMessage => ({
  request_id: 'req_1',
  dialect: 'chat',
  model_key: 'llamacpp/tiny',
  public_model: 'tiny',
  stream: true,
  deadline_ms: 900_000,
  body_bytes: bodyBytes,
  scope: 's',
  headers: {},
  traceparent: null,
});

export const streamHead: HeadMessage = { status: 200, content_type: 'text/event-stream', content_length: null };

export const completedEnd: EndMessage = {
  outcome: 'completed',
  failure: null,
  usage: null,
  timings: { first_event_ms: 1, total_ms: 2 },
  dropped: [],
};

export const report = (key: string): ModelReport => modelReport(key, { key });

type Ignored = Partial<RelaySessionHandlers>;
const nothing = (): void => undefined;

export const relayHandlers = (handlers: Ignored = {}): RelaySessionHandlers => ({
  onHello: nothing,
  onInventory: nothing,
  onStatus: nothing,
  onProgress: nothing,
  onResult: nothing,
  onGoAway: nothing,
  onClosed: nothing,
  ...handlers,
});

export const nodeHandlers = (handlers: Partial<NodeSessionHandlers> = {}): NodeSessionHandlers => ({
  onReady: nothing,
  onOpen: () => ({ onBody: nothing, onReset: nothing }),
  onCommand: nothing,
  onGoAway: nothing,
  onClosed: nothing,
  ...handlers,
});

export interface LinkPairOptions {
  readonly hello?: HelloMessage;
  readonly ready?: ReadyMessage;
  readonly relay?: Ignored;
  readonly node?: Partial<NodeSessionHandlers>;
}

export class LinkPair {
  readonly clock = new ManualClock();
  readonly flushes = new FlushQueue();
  /** Of the node's held ACKs. */
  readonly ackTimers = new FlushQueue();
  readonly relaySocket = new FakeTransport();
  readonly nodeSocket = new FakeTransport();
  readonly relay: RelayLinkSession;
  readonly node: NodeLinkSession;

  constructor(options: LinkPairOptions = {}) {
    const common = { clock: this.clock, limits: defaultLinkLimits, scheduleFlush: this.flushes.schedule };
    this.relay = new RelayLinkSession({
      ...common,
      transport: this.relaySocket,
      handlers: relayHandlers({
        ...options.relay,
        onHello: (message) => {
          options.relay?.onHello?.(message);
          this.relay.ready(options.ready ?? readyFacts);
        },
      }),
    });
    this.node = new NodeLinkSession({
      ...common,
      transport: this.nodeSocket,
      handlers: nodeHandlers(options.node),
      ackTimer: (run) => {
        this.ackTimers.schedule(run, 'turn');
      },
    });
    this.node.hello(options.hello ?? helloFacts);
    this.settle();
  }

  /** Delivers one message to the relay, if one is in flight. */
  deliverToRelay(): boolean {
    const message = this.nodeSocket.sent.shift();
    if (message === undefined) return false;
    this.relay.receive(message, true);
    return true;
  }

  deliverToNode(): boolean {
    const message = this.relaySocket.sent.shift();
    if (message === undefined) return false;
    this.node.receive(message, true);
    return true;
  }

  /** Until nothing is in flight in either direction. */
  settle(): void {
    let busy = true;
    while (busy) {
      busy = this.flushes.run();
      while (this.deliverToNode() || this.deliverToRelay()) busy = true;
    }
  }
}
