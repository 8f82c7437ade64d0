/**
 * The interface of every inference engine (docs/reference/engines.md#adapter-rules). Engines speak Chat Completions; `completions` is their
 * legacy route where they have one.
 */
import { randomUUID } from 'node:crypto';
import type { Observable } from 'rxjs';
import type { InputKind } from '../../kernel/dialect.js';
import type { TraceHeaders } from '../../kernel/tracing/trace-headers.js';
import type { EngineFact, GpuReport, ModelReport, NodeFailure, UsageReport } from '../../link/messages.js';
import type { EngineManagement } from './engine-management.js';

/** Routes an engine may speak itself; other dialects are translated to `chat` before they reach it. */
export const engineRoutes = ['chat', 'completions'] as const;
export type EngineRoute = (typeof engineRoutes)[number];

/**
 * What the requests of extensions need of an engine, which it has for some of its models (`EngineModel.extension_routes`):
 * `count` counts the tokens of a chat request; the others have one JSON document that passes as the engine wrote it.
 */
export const documentRoutes = ['embeddings', 'rerank'] as const;
export type DocumentRoute = (typeof documentRoutes)[number];
export const extensionRoutes = ['count', ...documentRoutes] as const;
export type ExtensionRoute = (typeof extensionRoutes)[number];

const namesOfExtensions: readonly string[] = extensionRoutes;

export interface ResponseOptions {
  /** Set when the engine names the stop sequence that ended the response. */
  readonly matchedStop: boolean;
  /** How many tokens the prompt has, before the first output. */
  readonly promptTokens: boolean;
}

export interface EngineCallOf<Route extends EngineRoute | ExtensionRoute> {
  readonly route: Route;
  /** The engine's own name of the model (`ModelReport.engine_model`). */
  readonly engineModel: string;
  /** The client's JSON body, byte for byte. Its `model` is still the public name: the engine replaces it. */
  readonly body: Buffer;
  readonly stream: boolean;
  /**
   * The same request without a system message behind the first turn, for a template that refuses one. Absent: it has none, or it is the
   * client's own body, which stays as it is.
   */
  readonly withoutLaterSystem?: (() => Buffer | Promise<Buffer>) | undefined;
  /** Answer details that some engines report only on request. */
  readonly responseOptions?: ResponseOptions;
  /** For an engine behind HTTP: headers of its request. Absent: the request is not part of a trace. */
  readonly trace?: TraceHeaders;
  /** Aborts the run within a second, in prefill as in decode. */
  readonly signal: AbortSignal;
  /**
   * For engines that count usage during a run: called at most once, with a function that returns the usage so far and may be called at any
   * time, also after an abort. It is the only source of exact figures for an aborted run.
   */
  readonly onMeter?: (usageSoFar: () => UsageReport | null) => void;
}

export type EngineCall = EngineCallOf<EngineRoute> | EngineCallOf<'count'> | EngineCallOf<DocumentRoute>;

export const isExtensionCall = (call: EngineCall): call is EngineCallOf<'count'> | EngineCallOf<DocumentRoute> =>
  namesOfExtensions.includes(call.route);

export const isDocumentCall = (call: EngineCall): call is EngineCallOf<DocumentRoute> =>
  documentRoutes.some((route) => route === call.route);

/** A parsed object of the route: a `chat.completion.chunk`, a `text_completion`, or the non-streaming answer. */
export type EngineObject = Record<string, unknown>;

/**
 * Consumes chunks that arrived together, in order. A returned promise is awaited before the next call (back-pressure). An empty batch is a
 * sign of life.
 */
export type TakeChunks = (batch: readonly EngineObject[]) => Promise<void> | undefined;

/** Stands for the text of a repeated chunk; random, so that no engine's own data can contain it. */
export const TEXT_PLACEHOLDER = randomUUID();

/**
 * Consumes chunks that equal one before them in everything but their text, which is not empty, as the events that they make. So nothing is
 * parsed or written anew for most tokens.
 */
export interface RepeatedEvents {
  /**
   * The event that chunks like this one make, before and after their text. Asked once for as long as they are repeated.
   * @param like that chunk with the placeholder for its text. Not to be changed
   */
  around(like: EngineObject): readonly [before: string, after: string];
  /** One such event. A returned promise is awaited before the next call. */
  take(event: Buffer): Promise<void> | undefined;
}

/** A streamed response. Chunks are pushed, because an async iterator costs three promises per token. */
export interface ChunkSource {
  /**
   * Call once. Passes all chunks to `take`, with the usage chunk where the engine sends one (it is always requested). Resolves only after a
   * `finish_reason`. Rejects with {@link EngineFailure} otherwise, with the signal's reason on abort, and with the error of `take`, which
   * also stops the engine.
   * @param repeated gets the events of chunks that need no parsing, in order with those for `take`; without it `take` gets all
   */
  pipe(take: TakeChunks, repeated?: RepeatedEvents): Promise<void>;
}

/**
 * Request fields that were not passed to the engine or that it ignores; reported to the client
 * (docs/reference/translation.md#rejected-and-dropped-fields).
 */
interface ResponseNotes {
  readonly dropped?: readonly string[];
}

export type EngineResponse = ResponseNotes &
  (
    | {
        readonly kind: 'stream';
        readonly chunks: ChunkSource;
      }
    | { readonly kind: 'whole'; readonly object: EngineObject }
    /** The engine's JSON object byte for byte, of a route without generated text: its numbers keep their digits. */
    | { readonly kind: 'document'; readonly bytes: Buffer }
  );

/** Of a route that generates text. */
export type TextResponse = Exclude<EngineResponse, { kind: 'document' }>;

/** A capability that an engine may refuse for a model at request time. */
export type RefusedCapability = Exclude<InputKind, 'text'> | 'tools' | 'reasoning' | 'completions' | DocumentRoute;

interface EngineFailureOptions extends ErrorOptions {
  readonly capability?: RefusedCapability;
}

/** The engine refused or failed. The message goes to the client. */
export class EngineFailure extends Error {
  override readonly name = 'EngineFailure';
  /** Set with the code `unsupported_capability` when the error message names a capability; recorded for the model. */
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
export interface EngineModel extends Omit<ModelReport, 'key' | 'engine' | 'extension_dialects'> {
  /** Absent: none. */
  readonly extension_routes?: readonly ExtensionRoute[] | undefined;
}

/** Whether an engine answers, and so whether its model list is current. */
export type EngineCondition =
  | { readonly is: 'answering' }
  /** It answers that it is still loading its model, without naming it. */
  | { readonly is: 'loading' }
  /** It does not answer with its models. `problem` completes "<address> …", for people. */
  | { readonly is: 'unreachable'; readonly problem: string };

/** An engine reports this about its current requests. */
export interface EngineLoadReport {
  /** Counts requests in the engine's own queue. */
  readonly waiting: number;
  /** Running or waiting for others than this node. */
  readonly foreign: number;
}

export interface Engine {
  /** Unique on this node; appears in `ModelReport.engine`. */
  readonly name: string;
  readonly kind: string;
  /** Runs in the node's own process. Absent: behind HTTP. */
  readonly inProcess?: true;
  /** Graphics processors that it computes on, as it last measured them. Absent: not known. */
  readonly usedGpus?: readonly GpuReport[];
  /**
   * Concurrent requests; the node accepts no more. An engine that reports its own number updates this no later than the list of `models$`
   * in which its models appear.
   */
  readonly slots: number;
  /** `slots` has changed although the list of models has not. Absent: it never does. */
  readonly slotsChanged$?: Observable<unknown> | undefined;
  /**
   * Emits the current list on subscription, then a list at every change, also of `condition`. Never errors; empty unless the engine
   * answers.
   */
  readonly models$: Observable<readonly EngineModel[]>;
  /** Changes no later than `models$`. An empty list means that there are no models only while the engine answers. */
  readonly condition: EngineCondition;
  /** Undefined: it does not tell. It changes without an event. */
  readonly load?: EngineLoadReport | undefined;
  /** Supported management operations; absent ones are refused as `unsupported`. */
  readonly management: EngineManagement;
  facts(): EngineFact;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** @throws EngineFailure before the first chunk when the engine refuses the request or cannot be reached. */
  run(call: EngineCall): Promise<EngineResponse>;
}

export type { UsageReport };

/** A chunk source from a generator of batches. A failing consumer ends the generator. */
export const chunkSource = (batches: AsyncIterable<readonly EngineObject[]>): ChunkSource => ({
  async pipe(take) {
    for await (const batch of batches) {
      const taken = take(batch);
      if (taken !== undefined) await taken;
    }
  },
});
