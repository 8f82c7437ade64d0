import type { GoAwayMessage, ReadyMessage, ReplicasMessage } from '../../link/messages.js';
import type { LinkOutcome } from './reconnect-policy.js';

/** READY's description of the relay. Without `replica` the relay knows nothing of several links: one is kept. */
export type ReadyFacts = Pick<ReadyMessage, 'epoch' | 'replica' | 'replicas'>;

/** One connection to the relay, from dialled to closed. */
export interface Link {
  readonly openStreams: number;
  /** Measured by the last ping; null before the first pong. */
  readonly roundTripMs: number | null;
  /** Sends HELLO and starts to receive messages; events are emitted only afterwards. */
  start(): void;
  /** Tells the relay that the node leaves. */
  goAway(): void;
  /** Ends it; `onClosed` follows. */
  close(): void;
  /** Sends a WebSocket ping at once instead of after the usual silence. */
  probe(): void;
  /** No pong since the last probe. */
  readonly unanswered: boolean;
  /** About once a second. */
  tick(): void;
}

export interface LinkEvents {
  /** The relay admitted the node. */
  onReady(facts: ReadyFacts): void;
  onGoAway(message: GoAwayMessage): void;
  /** Other replicas of the relay came or went. */
  onReplicas(message: ReplicasMessage): void;
  /** Once. */
  onClosed(outcome: LinkOutcome, detail: string): void;
}
