import type { Clock } from '../../kernel/clock.js';
import type { ModelReport, OpenMessage } from '../../link/messages.js';
import type {
  EngineObject,
  EngineResponse,
  EngineRoute,
  ExtensionRoute,
  ResponseOptions,
  UsageReport,
} from '../engines/engine.js';
import type { ResponseStore } from './conversations/response-store.js';
import type { ThreadStore } from './conversations/thread-store.js';

/** Chunks that repeat one which `events` got, with another text. */
export interface Repetition {
  /** See `RepeatedEvents`. */
  around(like: EngineObject): readonly [before: string, after: string];
  /** So many were sent. */
  count(events: number): void;
}

/** One request in its client's dialect: translates it for the engine, and the response back. */
export interface Exchange {
  /** The body in the grammar of the engine's route. */
  readonly body: Buffer;
  /** Request fields that the translation had to leave out. */
  readonly dropped: readonly string[];
  /** Request fields that the model gets in another form than the client wrote. Absent: none. */
  readonly changed?: readonly string[];
  /** See `EngineCall`. Absent: the body has no such message. */
  readonly withoutLaterSystem?: (() => Buffer) | undefined;
  /** See `EngineCall`. */
  readonly responseOptions?: ResponseOptions;
  /** Lets the engine report its counts at any time; called before its first chunk. */
  metered?(usageSoFar: () => UsageReport | null): void;
  /** Contains what the engine has reported so far; null before. */
  readonly usage: UsageReport | null;
  /** The whole events that these chunks make, as one piece; undefined as long as there is nothing worth a first event. */
  events(batch: readonly EngineObject[]): Buffer | undefined;
  /** Absent: `events` gets all chunks. */
  readonly repetition?: Repetition;
  /**
   * Events that tell the client, before the engine's first output, that its request is being worked on. Absent where the dialect has
   * none that clients count, or where the relay sends them.
   */
  keepAlive?(): Buffer;
  /** The events after the engine's regular end, including the protocol's terminator. */
  lastEvents(): Buffer;
  /** The body of a non-streaming answer. */
  whole(response: EngineObject): Buffer;
  /** The same of an answer that the engine wrote as a document. Absent where the route generates text. @throws EngineFailure */
  document?(bytes: Buffer): Buffer;
  /** The request has ended, whatever its outcome. Called once for every exchange that was made. */
  over?(): void;
}

/** Dependencies of exchanges. */
export interface ExchangeContext {
  readonly clock: Clock;
  /** Conversations of this node. */
  readonly responses: ResponseStore;
  readonly threads: ThreadStore;
}

/** Serves a dialect with a route that engines have. */
export interface DialectService {
  /** A dialect on a route of another name is a translation. */
  readonly route: EngineRoute | ExtensionRoute;
  /** Sent while an engine only reports that it is alive. */
  readonly keepAlive: Uint8Array;
  /** @throws EngineFailure with a 4xx when the request cannot be said on that route */
  begin(body: Buffer, head: OpenMessage, model: ModelReport, context: ExchangeContext): Exchange;
}

/** The body of a non-streaming answer. @throws EngineFailure */
export function wholeBody(response: Exclude<EngineResponse, { kind: 'stream' }>, exchange: Exchange): Buffer {
  if (response.kind === 'whole') return exchange.whole(response.object);
  if (exchange.document === undefined) throw new Error('the exchange expects generated text');
  return exchange.document(response.bytes);
}
