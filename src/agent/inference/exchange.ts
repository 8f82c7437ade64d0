import type { Clock } from '../../kernel/clock.js';
import type { ModelReport, OpenMessage } from '../../link/messages.js';
import type { AnswerWants, EngineObject, EngineRoute, UsageReport } from '../engines/engine.js';
import type { ResponseStore } from './responses-store/response-store.js';

/** One request in its client's dialect: what the engine is sent, and what its answer becomes. */
export interface Exchange {
  /** The body in the grammar of the engine's route. */
  readonly body: Buffer;
  /** Request fields that the translation had to leave out. */
  readonly dropped: readonly string[];
  /** See `EngineCall`. */
  readonly wants?: AnswerWants;
  /** The engine tells at any time what it has counted; called before its first chunk. */
  metered?(usageSoFar: () => UsageReport | null): void;
  /** As far as the engine has told; null before. */
  readonly usage: UsageReport | null;
  /** The whole events that these chunks make, as one piece; undefined as long as there is nothing worth a first event. */
  events(batch: readonly EngineObject[]): Buffer | undefined;
  /**
   * Events that tell the client, before the engine's first output, that its request is being worked on. Absent where the dialect has
   * none that clients count, or where the relay sends them.
   */
  keepAlive?(): Buffer;
  /** What is still to be said after the engine's regular end, the protocol's own terminator included. */
  lastEvents(): Buffer;
  /** The body of a non-streaming answer. */
  whole(answer: EngineObject): Buffer;
}

/** What an exchange may need besides its request. */
export interface ExchangeContext {
  readonly clock: Clock;
  /** Conversations of this node. */
  readonly responses: ResponseStore;
}

/** How a dialect is served by a route that engines speak. */
export interface DialectService {
  /** A dialect on a route of another name is a translation. */
  readonly route: EngineRoute;
  /** @throws EngineFailure with a 4xx when the request cannot be said on that route */
  begin(body: Buffer, head: OpenMessage, model: ModelReport, context: ExchangeContext): Exchange;
}
