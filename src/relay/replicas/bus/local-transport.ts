import { BehaviorSubject } from 'rxjs';
import type { ReplicaId } from '../../../kernel/ids.js';
import type { BusStatus, BusTransport, RawHandler, RawResponse, RawResponder } from './bus-transport.js';
import { TopicTable } from './topic-table.js';

/** Replicas in one process. A relay without NATS is alone in its network; tests join several. */
export class LocalNetwork {
  readonly members = new Map<ReplicaId, LocalTransport>();
}

export class LocalTransport implements BusTransport {
  readonly status$ = new BehaviorSubject<BusStatus>('connected');
  private readonly topics = new TopicTable();

  constructor(
    private readonly replicaId: ReplicaId,
    private readonly network = new LocalNetwork(),
  ) {
    network.members.set(replicaId, this);
  }

  get status(): BusStatus {
    return this.status$.value;
  }

  publish(topic: string, bytes: Uint8Array, to?: ReplicaId): boolean {
    if (this.status !== 'connected') return false;
    const receivers = to === undefined ? this.network.members.values() : [this.network.members.get(to)];
    for (const receiver of receivers) {
      if (receiver === undefined || receiver === this) continue;
      // Asynchronous, as from a server: a handler never runs inside `publish`.
      queueMicrotask(() => {
        receiver.deliver(topic, this.replicaId, bytes);
      });
    }
    return true;
  }

  subscribe(topic: string, handler: RawHandler): () => void {
    return this.topics.subscribe(topic, handler);
  }

  request(to: ReplicaId, topic: string, bytes: Uint8Array, timeoutMs: number): Promise<RawResponse> {
    if (this.status !== 'connected') return Promise.resolve({ ok: false, reason: 'disconnected' });
    const member = to === this.replicaId ? undefined : this.network.members.get(to);
    const responder = member?.topics.responderOf(topic);
    if (responder === undefined) return Promise.resolve({ ok: false, reason: 'unreachable' });
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        resolve({ ok: false, reason: 'timed_out' });
      }, timeoutMs);
      queueMicrotask(() => {
        responder(this.replicaId, bytes, (response) => {
          clearTimeout(timer);
          resolve({ ok: true, bytes: response });
        });
      });
    });
  }

  respond(topic: string, responder: RawResponder): () => void {
    return this.topics.respond(topic, responder);
  }

  close(): Promise<void> {
    this.network.members.delete(this.replicaId);
    this.status$.next('disconnected');
    return Promise.resolve();
  }

  private deliver(topic: string, from: ReplicaId, bytes: Uint8Array): void {
    if (this.status === 'connected') this.topics.deliver(topic, from, bytes);
  }
}
