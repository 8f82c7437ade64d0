/** Bytes between replicas: what `MessageBus` needs from NATS, and what a relay without NATS does instead. */
import type { Observable } from 'rxjs';
import type { ReplicaId } from '../../../kernel/ids.js';

/** `degraded`: connected, but the server has not answered the last ping. Only `connected` accepts messages. */
export type BusStatus = 'connected' | 'degraded' | 'disconnected';

export type RequestFailure =
  /** Refused without being sent. */
  | 'disconnected'
  /** No replica with this id answers requests of this topic. */
  | 'unreachable'
  | 'timed_out';

export type RawResponse =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly reason: RequestFailure };

export type RawHandler = (from: ReplicaId, bytes: Uint8Array) => void;
/** `reply` may be called once. It is ignored when the requester does not wait any more. */
export type RawResponder = (from: ReplicaId, bytes: Uint8Array, response: (bytes: Uint8Array) => void) => void;

/**
 * Messages of one publisher arrive in the order in which they were published, to one replica or to all, at most once. A replica never
 * receives its own. A topic is letters, digits, `_` and `.`. Handlers must not throw.
 */
export interface BusTransport {
  /** Begins with the current value. */
  readonly status$: Observable<BusStatus>;
  readonly status: BusStatus;
  /**
   * @param to absent: all other replicas
   * @returns false when it was refused, and then it is never sent: not connected, too much unsent, or larger than the server accepts
   */
  publish(topic: string, bytes: Uint8Array, to?: ReplicaId): boolean;
  /** Messages to all replicas and to this one. @returns ends the subscription */
  subscribe(topic: string, handler: RawHandler): () => void;
  /** Never rejects. */
  request(to: ReplicaId, topic: string, bytes: Uint8Array, timeoutMs: number): Promise<RawResponse>;
  /** Answers requests to this replica. @returns ends it */
  respond(topic: string, responder: RawResponder): () => void;
  /** Messages that were published before are sent if the connection works. Idempotent. */
  close(): Promise<void>;
}
