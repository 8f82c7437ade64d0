import { Logger } from '@nestjs/common';
import type { Observable } from 'rxjs';
import type { z } from 'zod';
import type { ReplicaId } from '../../../kernel/ids.js';
import { parseJson } from '../../../kernel/json-object.js';
import type { BusStatus, BusTransport, RequestFailure } from './bus-transport.js';
import { MessageQueue } from './message-queue.js';

/** A kind of message between replicas. */
export interface Topic<Payload> {
  readonly name: string;
  readonly payload: z.ZodType<Payload>;
}

/** A kind of request to one replica. */
export interface RequestTopic<Request, Result> {
  readonly name: string;
  readonly request: z.ZodType<Request>;
  readonly reply: z.ZodType<Result>;
}

export type BusResponse<Result> =
  | { readonly ok: true; readonly reply: Result }
  /** `failed`: the other replica could not answer, or its response is invalid. */
  | { readonly ok: false; readonly reason: RequestFailure | 'overloaded' | 'failed' };

export interface MessageBusLimits {
  /** Messages of one subscription that wait for its handler; more are dropped. */
  readonly busQueueMessages: number;
  /** Requests of other replicas that are answered at once; more are refused. */
  readonly busConcurrentReplies: number;
  /** Requests of this replica that wait for a response; more are refused. */
  readonly busOutstandingRequests: number;
}

/** Since the start. */
export interface BusCounters {
  published: number;
  /** Counts messages without a connection, or with too much unsent. */
  refused: number;
  received: number;
  /** Neither JSON nor of the shape of its topic. */
  invalid: number;
  /** The handler was too slow. */
  dropped: number;
  /** The handler threw. */
  failed: number;
}

const OVERLOADED = encode({ refused: 'overloaded' });
const FAILED = encode({ refused: 'failed' });

/**
 * Validated JSON between the replicas of a relay: each to all others, or to one. Delivery is at most once, in the order of its publisher, and
 * never to the publisher itself. So the bus tells others sooner, and whoever needs certainty reads the database, too.
 */
export class MessageBus {
  readonly counters: BusCounters = { published: 0, refused: 0, received: 0, invalid: 0, dropped: 0, failed: 0 };
  private readonly logger = new Logger('Replicas');
  private replying = 0;
  private outstanding = 0;

  constructor(
    private readonly transport: BusTransport,
    private readonly limits: MessageBusLimits,
  ) {}

  get status(): BusStatus {
    return this.transport.status;
  }

  /** Begins with the current value, and completes with the bus. */
  get status$(): Observable<BusStatus> {
    return this.transport.status$;
  }

  /**
   * @param to absent: all other replicas
   * @returns false when it was refused, and then it is never sent later
   */
  publish<Payload>(topic: Topic<Payload>, payload: Payload, to?: ReplicaId): boolean {
    const accepted = this.transport.publish(topic.name, encode(payload), to);
    if (accepted) this.counters.published += 1;
    else this.counters.refused += 1;
    return accepted;
  }

  /** The handler gets one message at a time, in order: the next one when its promise is settled. @returns ends the subscription */
  subscribe<Payload>(
    topic: Topic<Payload>,
    handler: (payload: Payload, from: ReplicaId) => void | Promise<void>,
  ): () => void {
    const queue = new MessageQueue({
      limit: this.limits.busQueueMessages,
      handle: (from, bytes) => {
        const payload = this.decode(topic.payload, topic.name, bytes);
        return payload === undefined ? undefined : handler(payload, from);
      },
      onDropped: () => (this.counters.dropped += 1),
      onFailed: (error) => {
        this.handlerFailed(topic.name, error);
      },
    });
    const unsubscribe = this.transport.subscribe(topic.name, (from, bytes) => {
      this.counters.received += 1;
      queue.push(from, bytes);
    });
    return () => {
      unsubscribe();
      queue.clear();
    };
  }

  /** Never rejects. */
  async request<Request, Result>(
    to: ReplicaId,
    topic: RequestTopic<Request, Result>,
    request: Request,
    timeoutMs: number,
  ): Promise<BusResponse<Result>> {
    if (this.outstanding >= this.limits.busOutstandingRequests) return { ok: false, reason: 'overloaded' };
    this.outstanding += 1;
    try {
      const raw = await this.transport.request(to, topic.name, encode(request), timeoutMs);
      if (!raw.ok) return raw;
      const response = decodeJson(raw.bytes) as { reply?: unknown; refused?: unknown } | null | undefined;
      if (response?.refused === 'overloaded') return { ok: false, reason: 'overloaded' };
      if (response?.refused === 'failed') return { ok: false, reason: 'failed' };
      const reply = this.validate(topic.reply, topic.name, response?.reply);
      return reply === undefined ? { ok: false, reason: 'failed' } : { ok: true, reply };
    } finally {
      this.outstanding -= 1;
    }
  }

  /** Answers requests of other replicas, several at once. @returns ends it */
  respond<Request, Result>(
    topic: RequestTopic<Request, Result>,
    handler: (request: Request, from: ReplicaId) => Result | Promise<Result>,
  ): () => void {
    return this.transport.respond(topic.name, (from, bytes, response) => {
      this.counters.received += 1;
      if (this.replying >= this.limits.busConcurrentReplies) {
        this.counters.dropped += 1;
        response(OVERLOADED);
        return;
      }
      const request = this.decode(topic.request, topic.name, bytes);
      if (request === undefined) response(FAILED);
      else void this.respondTo(topic.name, async () => handler(request, from)).then(response);
    });
  }

  close(): Promise<void> {
    return this.transport.close();
  }

  /** Never rejects. */
  private async respondTo(topic: string, work: () => Promise<unknown>): Promise<Uint8Array> {
    this.replying += 1;
    try {
      return encode({ reply: await work() });
    } catch (error) {
      this.handlerFailed(topic, error);
      return FAILED;
    } finally {
      this.replying -= 1;
    }
  }

  private decode<Payload>(schema: z.ZodType<Payload>, topic: string, bytes: Uint8Array): Payload | undefined {
    return this.validate(schema, topic, decodeJson(bytes));
  }

  private validate<Payload>(schema: z.ZodType<Payload>, topic: string, value: unknown): Payload | undefined {
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    this.counters.invalid += 1;
    // Replicas of two versions may differ in a topic: the log names it, and not the payload.
    this.logger.debug(`invalid message of the topic ${topic}`);
    return undefined;
  }

  private handlerFailed(topic: string, error: unknown): void {
    this.counters.failed += 1;
    this.logger.error('message handler failed', {
      topic,
      stack: error instanceof Error ? error.stack : String(error),
    });
  }
}

function encode(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}

const decodeJson = (bytes: Uint8Array): unknown =>
  parseJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
