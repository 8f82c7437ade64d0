/**
 * The one interface in front of every inference runtime (docs/reference/engines.md#adapter-rules). Chat Completions is the common
 * language on the engine's side;
 * `completions` is the engine's own legacy route where it has one.
 */
import type { Observable } from 'rxjs';
import type { InputKind } from '../../kernel/dialect.js';
import type { EngineFact, ModelReport, NodeFailure, UsageReport } from '../../link/messages.js';
import type { EngineManagement } from './engine-management.js';

/** Routes an engine may speak itself; other dialects are translated to `chat` before they reach it. */
export const engineRoutes = ['chat', 'completions'] as const;
export type EngineRoute = (typeof engineRoutes)[number];

export interface AnswerWants {
  /** Which stop sequence ended the answer. */
  readonly matchedStop: boolean;
  /** How many tokens the prompt has, before the first output. */
  readonly promptTokens: boolean;
}

export interface EngineCall {
  readonly route: EngineRoute;
  /** The engine's own name of the model (`ModelReport.engine_model`). */
  readonly engineModel: string;
  /** The client's JSON body, byte for byte. Its `model` is still the public name: the engine replaces it. */
  readonly body: Buffer;
  readonly stream: boolean;
  /** What the client is told and some engines say only when they are asked. */
  readonly wants?: AnswerWants;
  /** Aborts the run within a second, in prefill as in decode. */
  readonly signal: AbortSignal;
  /**
   * For engines that know before the end of a run what it has used so far: called at most once, with a function that may be asked at any
   * time, also after an abort. A stopped run has no other way to tell its exact figures.
   */
  readonly onMeter?: (usageSoFar: () => UsageReport | null) => void;
}

/** One parsed object of the route's own grammar: a `chat.completion.chunk`, a `text_completion`, or their non-streaming whole. */
export type EngineObject = Record<string, unknown>;

/** Takes chunks that arrived together, in order. A promise is waited for before more come: that is the back-pressure. */
export type TakeChunks = (batch: readonly EngineObject[]) => Promise<void> | undefined;

/** A streamed answer. Tokens are pushed, not asked for: an iterator costs three promises per token. */
export interface ChunkSource {
  /**
   * Called once. Gives all chunks, with the usage chunk where the engine sends one (it is always asked for). Resolves only after a
   * `finish_reason`; rejects with {@link EngineFailure} otherwise, with the signal's reason on abort, and with what `take` throws or
   * rejects with, which also stops the engine.
   */
  pipe(take: TakeChunks): Promise<void>;
}

/**
 * What the engine was not told, or would not have done: request fields, for the client to know
 * (docs/reference/translation.md#rejected-and-dropped-fields).
 */
interface AnswerNotes {
  readonly dropped?: readonly string[];
}

export type EngineAnswer = AnswerNotes &
  (
    | {
        readonly kind: 'stream';
        readonly chunks: ChunkSource;
      }
    | { readonly kind: 'whole'; readonly object: EngineObject }
  );

/** What an engine may say that a model cannot do, after it was asked for it. */
export type RefusedCapability = Exclude<InputKind, 'text'> | 'tools' | 'reasoning';

export interface EngineFailureOptions extends ErrorOptions {
  readonly capability?: RefusedCapability;
}

/** The engine refused or failed. The message goes to the client. */
export class EngineFailure extends Error {
  override readonly name = 'EngineFailure';
  /** Set with the code `unsupported_capability` where the engine's words name one: worth remembering about the model. */
  readonly capability: RefusedCapability | undefined;

  constructor(
    readonly failure: NodeFailure,
    options: EngineFailureOptions = {},
  ) {
    super(failure.message, options);
    this.capability = options.capability;
  }
}

/** A model as its engine reports it; the node adds the `key`. */
export type EngineModel = Omit<ModelReport, 'key' | 'engine'>;

/** Whether the list of an engine's models is the engine's own word. */
export type EngineCondition =
  | { readonly is: 'answering' }
  /** It answers that it is still loading its model, without naming it. */
  | { readonly is: 'loading' }
  /** It has not told its models yet, or does not any more. `problem` completes "<address> …", for people. */
  | { readonly is: 'unreachable'; readonly problem: string };

export interface Engine {
  /** Unique on this node; appears in `ModelReport.engine`. */
  readonly name: string;
  readonly kind: string;
  /**
   * Requests it runs at once; the node takes no more (the engine may queue on its own beyond that, unseen). An engine that tells its own
   * number makes this change no later than the list of `models$` in which its models appear.
   */
  readonly slots: number;
  /**
   * The current list at once for every subscriber, then a list at every change, of `condition` too. Never errors; empty unless the
   * engine answers.
   */
  readonly models$: Observable<readonly EngineModel[]>;
  /** Changes no later than `models$`. An empty list means that there are no models only while the engine answers. */
  readonly condition: EngineCondition;
  /** What the owner may have it do with its models; an operation that is absent here is refused as `unsupported`. */
  readonly management: EngineManagement;
  facts(): EngineFact;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** @throws EngineFailure before the first chunk, when the engine says no or cannot be reached. */
  run(call: EngineCall): Promise<EngineAnswer>;
}

export type { UsageReport };
