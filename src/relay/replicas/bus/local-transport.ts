import { BehaviorSubject } from 'rxjs';
import type { ReplicaId } from '../../../kernel/ids.js';
import type { BusStatus, BusTransport, RawHandler, RawResponse, RawResponder } from './bus-transport.js';

/** Replicas in one process. A relay without NATS is alone in its network; tests join several. */
export class LocalNetwork {
  readonly members = new Map<ReplicaId, LocalTransport>();
}

export class LocalTransport implements BusTransport {
  readonly status$ = new BehaviorSubject<BusStatus>('connected');
  private readonly handlers = new Map<string, Set<RawHandler>>();
  private readonly responders = new Map<string, RawResponder>();

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
    const handlers = this.handlers.get(topic) ?? new Set();
    this.handlers.set(topic, handlers.add(handler));
    return () => {
      handlers.delete(handler);
    };
  }

  request(to: ReplicaId, topic: string, bytes: Uint8Array, timeoutMs: number): Promise<RawResponse> {
    if (this.status !== 'connected') return Promise.resolve({ ok: false, reason: 'disconnected' });
    const member = to === this.replicaId ? undefined : this.network.members.get(to);
    const responder = member?.responders.get(topic);
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
    this.responders.set(topic, responder);
    return () => {
      this.responders.delete(topic);
    };
  }

  close(): Promise<void> {
    this.network.members.delete(this.replicaId);
    this.status$.next('disconnected');
    return Promise.resolve();
  }

  private deliver(topic: string, from: ReplicaId, bytes: Uint8Array): void {
    if (this.status !== 'connected') return;
    for (const handler of this.handlers.get(topic) ?? []) handler(from, bytes);
  }
}
