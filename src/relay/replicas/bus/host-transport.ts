import { BehaviorSubject } from 'rxjs';
import type { ReplicaId } from '../../../kernel/ids.js';
import type { PrimaryLink } from '../../platform/workers/primary-link.js';
import type { BusChannel, BusMessage } from '../../platform/workers/worker-messages.js';
import type { BusStatus, BusTransport, RawHandler, RawResponse, RawResponder } from './bus-transport.js';
import { TopicTable } from './topic-table.js';

export interface HostTransportOptions {
  readonly replicaId: ReplicaId;
  readonly link: Pick<PrimaryLink, 'on' | 'sendToBus'>;
  readonly channel: BusChannel;
  /** Bytes that wait for the primary process; more are refused. */
  readonly pendingLimitBytes: number;
}

/**
 * Between the workers of one relay, over the primary process. The channel ends with the primary process, and the worker with it, so it is
 * connected until it is closed.
 */
export class HostTransport implements BusTransport {
  readonly status$ = new BehaviorSubject<BusStatus>('connected');
  private readonly topics = new TopicTable();
  private readonly waiting = new Map<number, (response: RawResponse) => void>();
  private lastId = 0;
  private readonly stopListening: () => void;

  constructor(private readonly options: HostTransportOptions) {
    this.stopListening = options.link.on('bus', (message) => {
      if (message.channel === options.channel) this.receive(message);
    });
  }

  get status(): BusStatus {
    return this.status$.value;
  }

  publish(topic: string, bytes: Uint8Array, to?: ReplicaId): boolean {
    return this.send({ type: 'message', topic, to: to ?? null, bytes });
  }

  subscribe(topic: string, handler: RawHandler): () => void {
    return this.topics.subscribe(topic, handler);
  }

  request(to: ReplicaId, topic: string, bytes: Uint8Array, timeoutMs: number): Promise<RawResponse> {
    const id = (this.lastId += 1);
    return new Promise((resolve) => {
      const settle = (response: RawResponse): void => {
        clearTimeout(timer);
        this.waiting.delete(id);
        resolve(response);
      };
      const timer = setTimeout(() => {
        settle({ ok: false, reason: 'timed_out' });
      }, timeoutMs);
      this.waiting.set(id, settle);
      if (!this.send({ type: 'request', topic, to, id, bytes })) settle({ ok: false, reason: 'disconnected' });
    });
  }

  respond(topic: string, responder: RawResponder): () => void {
    return this.topics.respond(topic, responder);
  }

  close(): Promise<void> {
    if (this.status === 'connected') {
      this.stopListening();
      this.status$.next('disconnected');
      this.status$.complete();
      for (const settle of [...this.waiting.values()]) settle({ ok: false, reason: 'disconnected' });
    }
    return Promise.resolve();
  }

  private send(message: WithoutSender<BusMessage>): boolean {
    if (this.status !== 'connected') return false;
    const { link, channel, replicaId: from, pendingLimitBytes } = this.options;
    return link.sendToBus({ kind: 'bus', channel, from, ...message }, pendingLimitBytes);
  }

  private receive(message: BusMessage): void {
    switch (message.type) {
      case 'message':
        this.topics.deliver(message.topic, message.from, message.bytes);
        return;
      case 'request': {
        const { id, from: to } = message;
        const responder = this.topics.responderOf(message.topic);
        if (responder === undefined) this.send({ type: 'unreachable', to, id });
        else responder(to, message.bytes, (bytes) => this.send({ type: 'reply', to, id, bytes }));
        return;
      }
      case 'reply':
        this.waiting.get(message.id)?.({ ok: true, bytes: message.bytes });
        return;
      case 'unreachable':
        this.waiting.get(message.id)?.({ ok: false, reason: 'unreachable' });
    }
  }
}

type WithoutSender<Message> = Message extends unknown ? Omit<Message, 'kind' | 'channel' | 'from'> : never;
