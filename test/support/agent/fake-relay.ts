/** A fake relay with real sockets and the real link session, for tests of the node alone. */
import { createPublicKey, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { systemClock } from '../../../src/kernel/clock.js';
import { createReplicaId } from '../../../src/kernel/ids.js';
import { defaultLinkLimits } from '../../../src/link/link-limits.js';
import type {
  EndMessage,
  HelloMessage,
  InventoryMessage,
  ModelReport,
  OpenMessage,
  ProgressMessage,
  ResultMessage,
  StatusMessage,
} from '../../../src/link/messages.js';
import { RelayLinkSession } from '../../../src/link/session/relay-session.js';
import type { RelayLinkStream } from '../../../src/link/stream/relay-stream.js';
import { eventually } from '../clock/eventually.js';

export interface FakeResponse {
  readonly stream: RelayLinkStream;
  /** Events in order: `ack`, `reject <reason>`, `head`, `end <outcome>`, `lost <reason>`. */
  readonly log: string[];
  text: string;
  end: EndMessage | undefined;
  readonly over: Promise<void>;
}

/** One connection of a node. */
export class FakeRelayLink {
  hello: HelloMessage | undefined;
  readonly inventories: InventoryMessage[] = [];
  readonly statuses: StatusMessage[] = [];
  readonly models = new Map<string, ModelReport>();
  readonly operationReports: (ProgressMessage | ResultMessage)[] = [];
  closeCode: number | undefined;
  saidGoAway = false;
  readonly session: RelayLinkSession;
  private requests = 0;

  constructor(
    readonly socket: WebSocket,
    admit: boolean,
    private readonly epoch: number,
    private readonly version: string,
  ) {
    this.session = new RelayLinkSession({
      transport: {
        send: (batch) => socket.send(batch),
        ping: () => socket.ping(),
        close: (code, reason) => socket.close(code, reason),
        terminate: () => socket.terminate(),
      },
      clock: systemClock,
      limits: defaultLinkLimits,
      handlers: {
        onHello: (message) => {
          this.hello = message;
          if (admit) this.admit();
        },
        onInventory: (message) => {
          this.inventories.push(message);
          if (message.full && message.version === 1) this.models.clear();
          for (const model of message.models) this.models.set(model.key, model);
          for (const key of message.removed) this.models.delete(key);
        },
        onStatus: (message) => this.statuses.push(message),
        onProgress: (message) => this.operationReports.push(message),
        onResult: (message) => this.operationReports.push(message),
        onGoAway: () => (this.saidGoAway = true),
        onClosed: () => undefined,
      },
    });
    socket.on('message', (data: Buffer, isBinary: boolean) => this.session.receive(data, isBinary));
    socket.on('error', () => undefined);
    socket.on('close', (code: number) => {
      this.closeCode = code;
      this.session.closed();
    });
  }

  get open(): boolean {
    return this.closeCode === undefined;
  }

  admit(): void {
    this.session.ready({
      protocol_version: 1,
      relay_version: this.version,
      epoch: this.epoch,
      relay_time_ms: Date.now(),
      limits: {
        max_streams: 64,
        to_node_window_bytes: 262_144,
        to_relay_window_bytes: 65_536,
        max_outstanding_bytes: 8_388_608,
      },
      features: [],
      node_name: this.hello?.node_name ?? '',
      replica: { id: createReplicaId(), link_address: null, max_links: 1 },
      replicas: { live: 1, link_addresses: [] },
    });
  }

  /** Sends a chat request and reads its response without delay, unless `read` is false. */
  ask(
    modelKey: string,
    body: object,
    options: { readonly read?: boolean; readonly head?: Partial<OpenMessage> } = {},
  ): FakeResponse {
    const bytes = Buffer.from(JSON.stringify(body));
    this.requests += 1;
    let finish: () => void = () => undefined;
    const response = {
      log: [] as string[],
      text: '',
      end: undefined as EndMessage | undefined,
      over: new Promise<void>((resolve) => (finish = resolve)),
    };
    const stream = this.session.open(
      {
        request_id: `req_${this.epoch}_${this.requests}`,
        dialect: 'chat',
        model_key: modelKey,
        public_model: 'public',
        stream: (body as { stream?: boolean }).stream === true,
        deadline_ms: 60_000,
        body_bytes: bytes.length,
        scope: 'test',
        headers: {},
        traceparent: null,
        ...options.head,
      },
      bytes,
      {
        onAck: () => response.log.push('ack'),
        onReject: ({ reason }) => {
          response.log.push(`reject ${reason}`);
          finish();
        },
        onHead: () => response.log.push('head'),
        onData: (data) => {
          response.text += data.toString();
          if (options.read !== false) stream.consumed(data.length);
        },
        onEnd: (message) => {
          response.end = message;
          response.log.push(`end ${message.outcome}`);
          finish();
        },
        onLost: (reason) => {
          response.log.push(`lost ${reason}`);
          finish();
        },
      },
    );
    return Object.assign(response, { stream });
  }
}

export class FakeRelay {
  readonly links: FakeRelayLink[] = [];
  readonly authorizations: string[] = [];
  /** Status with which upgrades are refused. */
  refuse: { readonly status: number; readonly retryAfter?: number } | undefined;
  /** Whether HELLO is answered with READY at once. */
  admits = true;
  /** The relay's settings that READY announces. */
  version = 'test';
  private readonly sockets = new WebSocketServer({ noServer: true });
  private challenges = 0;

  private constructor(private readonly server: Server) {
    server.on('request', (request: IncomingMessage, response) => {
      this.challenges += 1;
      if (request.url === '/link/challenge') response.end(JSON.stringify({ nonce: `nonce-${this.challenges}` }));
      else response.writeHead(404).end();
    });
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      this.upgrade(request, socket, head);
    });
  }

  static async start(port = 0): Promise<FakeRelay> {
    const server = createServer();
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return new FakeRelay(server);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get standing(): FakeRelayLink[] {
    return this.links.filter((link) => link.open);
  }

  /** The link number `index`, once its node has sent its inventory. */
  link(index: number): Promise<FakeRelayLink> {
    // A node in a process of its own is compiled first, which takes its time on a busy computer.
    return eventually(
      `link ${index}`,
      () => {
        const link = this.links[index];
        return link !== undefined && (link.statuses.length > 0 || !this.admits) && link;
      },
      45_000,
    );
  }

  async stop(): Promise<void> {
    for (const { socket } of this.links) socket.terminate();
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.authorizations.push(request.headers.authorization ?? '');
    if (this.refuse !== undefined) {
      const { status, retryAfter } = this.refuse;
      const wait = retryAfter === undefined ? '' : `Retry-After: ${retryAfter}\r\n`;
      socket.end(`HTTP/1.1 ${status} Refused\r\n${wait}Content-Length: 0\r\nConnection: close\r\n\r\n`);
      return;
    }
    this.sockets.handleUpgrade(request, socket, head, (websocket) => {
      this.links.push(new FakeRelayLink(websocket, this.admits, this.links.length + 1, this.version));
    });
  }
}

/** Whether the link header is signed by this key (base64url of 32 bytes) for this host and node. */
export function isAuthorizedBy(publicKey: string, host: string, nodeId: string, header: string): boolean {
  const match = /^FerryNode id=(\S+),nonce=(\S+),sig=(\S+)$/.exec(header);
  if (match?.[1] !== nodeId) return false;
  return verify(
    null,
    Buffer.from(`ferry-node-link-v1\0${host}\0${match[2] ?? ''}\0${nodeId}`),
    createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' }),
    Buffer.from(match[3] ?? '', 'base64url'),
  );
}
