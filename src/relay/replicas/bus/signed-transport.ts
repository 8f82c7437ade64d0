import type { Observable } from 'rxjs';
import type { ReplicaId } from '../../../kernel/ids.js';
import { LruMap } from '../../../kernel/lru-map.js';
import type { BusRejections } from './bus-rejections.js';
import type { BusStatus, BusTransport, RawHandler, RawResponse, RawResponder } from './bus-transport.js';
import type { MessageSignature, OpenedMessage, SignedAs } from './message-signature.js';

/** Senders whose last sequence is remembered: only of messages with a valid signature. */
const REMEMBERED_SENDERS = 1_000;

interface Subscription {
  readonly handlers: Set<RawHandler>;
  readonly end: () => void;
}

/**
 * Another transport, whose messages are signed: whatever else reaches the server of the bus cannot speak for a replica, change what one says, or
 * repeat it. Every message has a sequence, which grows from one to the next of its sender; a response has that of its request.
 */
export class SignedTransport implements BusTransport {
  private sequence = 0;
  private readonly newest = new LruMap<ReplicaId, number>(REMEMBERED_SENDERS);
  /** One for each topic: a message that arrives twice, for two subscriptions, would look repeated. */
  private readonly subscriptions = new Map<string, Subscription>();

  constructor(
    private readonly transport: BusTransport,
    private readonly replicaId: ReplicaId,
    private readonly signature: MessageSignature,
    private readonly rejections: Pick<BusRejections, 'count'>,
  ) {}

  get status(): BusStatus {
    return this.transport.status;
  }

  get status$(): Observable<BusStatus> {
    return this.transport.status$;
  }

  publish(topic: string, bytes: Uint8Array, to?: ReplicaId): boolean {
    const signed = this.signature.sign({ kind: 'message', topic, from: this.replicaId, to }, this.next(), bytes);
    return this.transport.publish(topic, signed, to);
  }

  subscribe(topic: string, handler: RawHandler): () => void {
    let subscription = this.subscriptions.get(topic);
    if (subscription === undefined) {
      const handlers = new Set<RawHandler>();
      const end = this.transport.subscribe(topic, (from, message) => {
        const bytes = this.accept('message', topic, from, message)?.bytes;
        if (bytes !== undefined) for (const each of handlers) each(from, bytes);
      });
      this.subscriptions.set(topic, (subscription = { handlers, end }));
    }
    const { handlers, end } = subscription;
    // A function of its own, so that one function can be subscribed twice.
    const own: RawHandler = (from, bytes) => {
      handler(from, bytes);
    };
    handlers.add(own);
    return () => {
      if (!handlers.delete(own) || handlers.size > 0) return;
      this.subscriptions.delete(topic);
      end();
    };
  }

  async request(to: ReplicaId, topic: string, bytes: Uint8Array, timeoutMs: number): Promise<RawResponse> {
    const sequence = this.next();
    const signed = this.signature.sign({ kind: 'request', topic, from: this.replicaId, to }, sequence, bytes);
    const response = await this.transport.request(to, topic, signed, timeoutMs);
    if (!response.ok) return response;
    const opened = this.open({ kind: 'reply', topic, from: to, to: this.replicaId }, response.bytes);
    if (opened?.sequence === sequence) return { ok: true, bytes: opened.bytes };
    if (opened !== undefined) this.rejections.count('replayed', to, topic);
    // As if it had not come.
    return { ok: false, reason: 'timed_out' };
  }

  respond(topic: string, responder: RawResponder): () => void {
    return this.transport.respond(topic, (from, message, response) => {
      const request = this.accept('request', topic, from, message);
      if (request === undefined) return;
      responder(from, request.bytes, (bytes) => {
        const as = { kind: 'reply', topic, from: this.replicaId, to: from } as const;
        response(this.signature.sign(as, request.sequence, bytes));
      });
    });
  }

  close(): Promise<void> {
    return this.transport.close();
  }

  private next(): number {
    this.sequence += 1;
    return this.sequence;
  }

  private accept(
    kind: 'message' | 'request',
    topic: string,
    from: ReplicaId,
    message: Uint8Array,
  ): OpenedMessage | undefined {
    // This replica sent it on a connection that it lost since, to a server that was frozen.
    if (from === this.replicaId) return undefined;
    const opened = this.open({ kind, topic, from, to: this.replicaId }, message);
    if (opened === undefined) return undefined;
    if (opened.sequence <= (this.newest.get(from) ?? 0)) {
      this.rejections.count('replayed', from, topic);
      return undefined;
    }
    this.newest.set(from, opened.sequence);
    return opened;
  }

  private open(as: SignedAs, message: Uint8Array): OpenedMessage | undefined {
    const opened = this.signature.open(as, message);
    if (typeof opened !== 'string') return opened;
    this.rejections.count(opened, as.from, as.topic);
    return undefined;
  }
}
