/**
 * The one interface in front of every inference runtime (design §8). Chat Completions is the common language on the engine's side;
 * `completions` is the engine's own legacy route where it has one.
 */
import type { Observable } from 'rxjs';
import type { EngineFact, ModelReport, NodeFailure, UsageReport } from '../../link/messages.js';

/** Routes an engine may speak itself; other dialects are translated to `chat` before they reach it. */
export const engineRoutes = ['chat', 'completions'] as const;
export type EngineRoute = (typeof engineRoutes)[number];

export interface EngineCall {
  readonly route: EngineRoute;
  /** The engine's own name of the model (`ModelReport.engine_model`). */
  readonly engineModel: string;
  /** The client's JSON body, byte for byte. Its `model` is still the public name: the engine replaces it. */
  readonly body: Buffer;
  readonly stream: boolean;
  /** Aborts the run within a second, in prefill as in decode. */
  readonly signal: AbortSignal;
}

/** One parsed object of the route's own grammar: a `chat.completion.chunk`, a `text_completion`, or their non-streaming whole. */
export type EngineObject = Record<string, unknown>;

export type EngineAnswer =
  | {
      readonly kind: 'stream';
      /**
       * All chunks that arrived together, in order, with the usage chunk where the engine sends one (it is always asked for).
       * Ends normally only after a `finish_reason`; throws {@link EngineFailure} otherwise. Reading on is the back-pressure.
       */
      readonly chunks: AsyncIterable<readonly EngineObject[]>;
    }
  | { readonly kind: 'whole'; readonly object: EngineObject };

/** The engine refused or failed. The message goes to the client. */
export class EngineFailure extends Error {
  override readonly name = 'EngineFailure';
  constructor(
    readonly failure: NodeFailure,
    options?: ErrorOptions,
  ) {
    super(failure.message, options);
  }
}

/** A model as its engine reports it; the node adds the `key`. */
export type EngineModel = Omit<ModelReport, 'key' | 'engine'>;

export interface Engine {
  /** Unique on this node; appears in `ModelReport.engine`. */
  readonly name: string;
  readonly kind: string;
  /** Requests it runs at once; the node takes no more (the engine may queue on its own beyond that, unseen). */
  readonly slots: number;
  /** The current list at once for every subscriber, then a new list at every change. Never errors; empty while unreachable. */
  readonly models$: Observable<readonly EngineModel[]>;
  facts(): EngineFact;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** @throws EngineFailure before the first chunk, when the engine says no or cannot be reached. */
  run(call: EngineCall): Promise<EngineAnswer>;
}

export type { UsageReport };
