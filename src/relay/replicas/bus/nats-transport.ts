import { Logger } from '@nestjs/common';
import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import { BehaviorSubject } from 'rxjs';
import { isReplicaId, type ReplicaId } from '../../../kernel/ids.js';
import { printable } from '../../../kernel/printable.js';
import type { BusStatus, BusTransport, RawHandler, RawResponse, RawResponder } from './bus-transport.js';
import { parseNatsAddress, type NatsAddress } from './nats-address.js';
import { UnconfirmedBytes } from './unconfirmed-bytes.js';

export interface NatsTransportOptions {
  readonly replicaId: ReplicaId;
  /** `NATS_URL`. */
  readonly address: string;
  /** Names the connection in the monitoring of the server. */
  readonly purpose: string;
  /** Installations that share a server have different ones. */
  readonly subjectPrefix: string;
  /** A server that stops answering is found after two to three of these. */
  readonly pingIntervalMs: number;
  readonly connectTimeoutMs: number;
  /** Bytes that the server has not confirmed yet; more are refused. */
  readonly pendingLimitBytes: number;
}

const RECONNECT_BASE_MS = 250;
const RECONNECT_JITTER_MS = 250;
const MAX_PINGS_OUT = 2;
const CLOSE_FLUSH_MS = 500;

/** Loaded by relays that have a bus: most have none. */
const client = () => import('./nats-client.js');

interface Listener {
  readonly subjects: readonly string[];
  readonly onMessage: (message: Msg) => void;
  active: readonly Subscription[];
}

/**
 * One connection to NATS. Core NATS only: messages reach the replicas that are connected now, or nobody.
 *
 * The reconnect of the client is not used, because it sends later what was published while it was disconnected, and because it waits for
 * a server that no longer reads. Each lost or silent connection is closed and replaced by a new client with empty buffers.
 */
export class NatsTransport implements BusTransport {
  readonly status$ = new BehaviorSubject<BusStatus>('disconnected');
  private readonly logger = new Logger('Replicas');
  private readonly listeners = new Set<Listener>();
  private readonly unconfirmed: UnconfirmedBytes;
  private connection: NatsConnection | null = null;
  private closing = false;
  private readonly address: NatsAddress;
  private readonly running: Promise<void>;
  private stopWaiting: () => void = () => undefined;

  /** @throws Error for an address that is none */
  constructor(private readonly options: NatsTransportOptions) {
    this.address = parseNatsAddress(options.address);
    this.unconfirmed = new UnconfirmedBytes(options.pendingLimitBytes);
    this.running = this.run();
  }

  get status(): BusStatus {
    return this.status$.value;
  }

  publish(topic: string, bytes: Uint8Array, to?: ReplicaId): boolean {
    const { connection } = this;
    if (connection === null || this.status !== 'connected') return false;
    if (!this.unconfirmed.add(bytes.length, connection)) return false;
    try {
      connection.publish(`${this.subjectOf(topic, to)}.${this.options.replicaId}`, bytes);
      return true;
    } catch {
      // Larger than the server accepts, or just closed.
      return false;
    }
  }

  subscribe(topic: string, handler: RawHandler): () => void {
    const subjects = [`${this.subjectOf(topic)}.*`, `${this.subjectOf(topic, this.options.replicaId)}.*`];
    return this.listen(subjects, ({ subject, data }) => {
      const from = senderOf(subject);
      if (from !== undefined) handler(from, data);
    });
  }

  async request(to: ReplicaId, topic: string, bytes: Uint8Array, timeoutMs: number): Promise<RawResponse> {
    const { connection, unconfirmed } = this;
    if (connection === null || this.status !== 'connected' || !unconfirmed.add(bytes.length, connection))
      return { ok: false, reason: 'disconnected' };
    try {
      const subject = `${this.subjectOf(topic, to)}.${this.options.replicaId}`;
      const { data } = await connection.request(subject, bytes, { timeout: timeoutMs });
      return { ok: true, bytes: data };
    } catch (error) {
      const { RequestError, TimeoutError } = await client();
      if (error instanceof RequestError && error.isNoResponders()) return { ok: false, reason: 'unreachable' };
      return { ok: false, reason: error instanceof TimeoutError ? 'timed_out' : 'disconnected' };
    }
  }

  respond(topic: string, responder: RawResponder): () => void {
    return this.listen([`${this.subjectOf(topic, this.options.replicaId)}.*`], (message) => {
      const from = senderOf(message.subject);
      if (from === undefined) return;
      const { connection } = this;
      responder(from, message.data, (bytes) => {
        if (connection === null || this.connection !== connection || this.status !== 'connected') return;
        if (!this.unconfirmed.add(bytes.length, connection)) return;
        try {
          message.respond(bytes);
        } catch {
          // Larger than the server accepts: the requester times out.
        }
      });
    });
  }

  async close(): Promise<void> {
    if (!this.closing) {
      this.closing = true;
      const { connection } = this;
      if (connection !== null && this.status === 'connected') await within(CLOSE_FLUSH_MS, connection.flush());
      this.status$.next('disconnected');
      this.stopWaiting();
    }
    // While it connects, the client cannot be closed before its next attempt.
    await within(CLOSE_FLUSH_MS, this.running);
    this.status$.complete();
  }

  private subjectOf(topic: string, to?: ReplicaId): string {
    const scope = to === undefined ? 'all' : `to.${to}`;
    return `${this.options.subjectPrefix}.v1.${scope}.${topic}`;
  }

  private listen(subjects: readonly string[], onMessage: (message: Msg) => void): () => void {
    const listener: Listener = { subjects, onMessage, active: [] };
    this.listeners.add(listener);
    if (this.connection !== null) attach(listener, this.connection);
    return () => {
      this.listeners.delete(listener);
      for (const subscription of listener.active) subscription.unsubscribe();
    };
  }

  private async run(): Promise<void> {
    while (!this.isClosing()) {
      try {
        const connection = await this.dial();
        await this.use(connection);
        await connection.close();
      } catch (error) {
        if (!this.isClosing()) this.logger.warn(`the bus refuses the connection: ${reasonOf(error)}`);
      }
      if (!this.isClosing()) await this.pause();
    }
  }

  /** A method, because the compiler assumes that a field does not change while a function waits. */
  private isClosing(): boolean {
    return this.closing;
  }

  /** Tries until a server accepts the connection. Rejects when one refuses the credentials, and when the transport is closed. */
  private async dial(): Promise<NatsConnection> {
    const { connect } = await client();
    const { purpose, replicaId, subjectPrefix, pingIntervalMs, connectTimeoutMs } = this.options;
    return connect({
      ...this.address,
      name: `ferry ${purpose} ${replicaId}`,
      noEcho: true,
      reconnect: false,
      waitOnFirstConnect: true,
      reconnectDelayHandler: () => {
        // The client has no other way to give up its first connection.
        if (this.closing) throw new Error('closed');
        return reconnectDelayMs();
      },
      timeout: connectTimeoutMs,
      pingInterval: pingIntervalMs,
      maxPingOut: MAX_PINGS_OUT,
      inboxPrefix: `${subjectPrefix}.v1.inbox.${replicaId}`,
      noAsyncTraces: true,
    });
  }

  /** Until the connection is lost, silent, or not needed any more. */
  private async use(connection: NatsConnection): Promise<void> {
    if (this.closing) return;
    const ended = new Promise<void>((resolve) => (this.stopWaiting = resolve));
    void connection.closed().then(this.stopWaiting);
    void this.watch(connection, this.stopWaiting);
    for (const listener of this.listeners) attach(listener, connection);
    this.connection = connection;
    this.unconfirmed.reset();
    this.logger.log('connected to the bus');
    this.status$.next('connected');
    await ended;
    this.connection = null;
    this.status$.next('disconnected');
    if (!this.isClosing()) this.logger.warn('the connection to the bus is lost');
  }

  private async watch(connection: NatsConnection, end: () => void): Promise<void> {
    for await (const status of connection.status()) {
      switch (status.type) {
        case 'ping':
          // The pending one is this ping; another is one that was not answered in a whole interval.
          this.report(connection, status.pendingPings > 1 ? 'degraded' : 'connected');
          break;
        case 'staleConnection':
        case 'disconnect':
        case 'close':
          end();
          return;
        case 'error':
          this.logger.warn(`the bus reports an error: ${reasonOf(status.error)}`);
          break;
        default:
      }
    }
  }

  private report(connection: NatsConnection, status: BusStatus): void {
    if (this.connection !== connection || this.closing || this.status === status) return;
    this.status$.next(status);
  }

  private pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, reconnectDelayMs());
      this.stopWaiting = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

const reconnectDelayMs = (): number => RECONNECT_BASE_MS + Math.random() * RECONNECT_JITTER_MS;

function attach(listener: Listener, connection: NatsConnection): void {
  listener.active = listener.subjects.map((subject) =>
    connection.subscribe(subject, {
      callback: (error, message) => {
        if (error === null) listener.onMessage(message);
      },
    }),
  );
}

function senderOf(subject: string): ReplicaId | undefined {
  const sender = subject.slice(subject.lastIndexOf('.') + 1);
  return isReplicaId(sender) ? sender : undefined;
}

/** The client repeats neither address nor credentials in its messages. */
const reasonOf = (error: unknown): string =>
  printable(error instanceof Error ? error.message : String(error), 'no reason');

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([work.catch(() => undefined), deadline]);
  clearTimeout(timer);
}
