/** An adapter describes one kind of engine behind HTTP for `HttpEngine`. */
import type { Observable } from 'rxjs';
import type { EngineManagement } from '../engine-management.js';
import type { TraceHeaders } from '../../../kernel/tracing/trace-headers.js';
import type {
  ResponseOptions,
  EngineFailure,
  EngineModel,
  EngineObject,
  EngineRoute,
  ExtensionRoute,
  DocumentRoute,
} from '../engine.js';
import type { EngineHttp } from './engine-http.js';
import type { EngineSnapshot } from './probe.js';
import type { ResponseGrammar } from './read-response.js';
import type { FieldAliases } from './request-body.js';

/** Access to the engine for its management operations. */
export interface EngineHandle {
  readonly http: EngineHttp;
  /** Probes the engine at once; resolves with its models as reported to the relay from now on. */
  readonly probeNow: () => Promise<readonly EngineModel[]>;
}

/** A request adapted to one engine. */
export interface AdaptedRequest {
  readonly body: Buffer;
  /** Fields that the engine will not honour in any form. */
  readonly dropped: readonly string[];
  /** The engine is to stream whatever the client asked for, because its whole response lacks something. */
  readonly streams?: boolean;
}

/** A request to a native route of the engine, whose format differs from OpenAI's. */
export interface NativeRequest extends AdaptedRequest {
  readonly path: string;
  readonly grammar: ResponseGrammar;
}

/** A request of an extension: the body in the grammar of its route; of `count` a chat request, adapted as one to be answered. */
export interface ExtensionRequest {
  readonly http: EngineHttp;
  readonly engineModel: string;
  readonly body: Buffer;
  readonly trace: TraceHeaders | undefined;
  readonly signal: AbortSignal;
}

/** @throws EngineFailure */
export type AnswerExtension = (request: ExtensionRequest) => Promise<EngineObject>;

/** A request without generated text to a native route of the engine. */
export interface NativeDocument {
  readonly path: string;
  readonly body: readonly Buffer[];
  /** The response in the format of the usual route. @throws EngineFailure · NotJsonObjectError */
  readonly read: (bytes: Buffer) => Buffer;
}

export interface EngineAdapter {
  readonly kind: string;
  /**
   * The engine's current models. Called every `pollMs`, after every operation, and after every failure. GETs only: it must not make the
   * engine load a model (docs/reference/inventory.md#loaded-means-resident). Use `probeEngine` and `probeIfPresent`, which are bounded.
   * @throws UnusableEngineError when the engine answers, but not with models; any other error means that it does not answer
   */
  readonly probe: (http: EngineHttp) => Promise<EngineSnapshot>;
  /** Path of a route, if not the usual one. */
  readonly path?: (route: EngineRoute) => string;
  /** How the engine answers the requests of extensions. Models name those that they have. Absent: none. */
  readonly extensionRoutes?: Readonly<Partial<Record<ExtensionRoute, AnswerExtension>>>;
  /** The same of a route without generated text. */
  readonly documentPath?: (route: DocumentRoute) => string;
  /**
   * The request for a native route of the engine in place of one without generated text. Called after `admit`.
   * @returns undefined for the usual route
   * @throws EngineFailure for a request that has no translation
   */
  readonly document?: (body: Buffer, route: DocumentRoute, engineModel: string) => NativeDocument | undefined;
  /** Request fields that the engine knows by another name. */
  readonly aliases?: FieldAliases;
  /**
   * Adapts the request before `model` and `stream` are set; `model` is the model as last probed.
   */
  readonly adapt?: (
    body: Buffer,
    route: EngineRoute,
    model: EngineModel | undefined,
    wants: ResponseOptions | undefined,
  ) => AdaptedRequest;
  /**
   * Last check before a request is sent, for engines that would load a model that is not in memory.
   * @returns the name of the model in the request
   * @throws EngineFailure when the request must not be sent
   */
  readonly admit?: (engineModel: string) => Promise<string> | string;
  /**
   * The adapted request for a native route of the engine. Called after `admit`.
   * @param engineModel the name that `admit` returned
   * @returns undefined for the usual route
   * @throws EngineFailure for a request that has no translation
   */
  readonly native?: (
    adapted: AdaptedRequest,
    route: EngineRoute,
    engineModel: string,
    stream: boolean,
  ) => NativeRequest | undefined;
  /** Learns how many requests the engine runs at once, which it does not say. */
  readonly runs?: RunObserver | undefined;
  /** The engine silently truncates prompts that exceed the context, so they are refused here. */
  readonly cutsPrompts?: boolean;
  /** The engine answers probes at any time, so that one which answers none hangs, whatever it has to do. Its requests then fail. */
  readonly respondsWhileBusy?: boolean;
  /**
   * For an engine that refuses an output limit which does not fit behind the prompt: the client's request with limits of at most so many
   * tokens. Undefined when no limit of it is higher.
   */
  readonly limitedTo?: (body: Buffer, responseTokens: number) => AdaptedRequest | undefined;
  /** Corrects the classification of a failure; by default that of `failures.ts` stays. */
  readonly explain?: (failure: EngineFailure, engineModel: string) => EngineFailure;
  readonly management?: (handle: EngineHandle) => EngineManagement;
}

/** Counts what the engine runs at once. */
export interface RunObserver {
  readonly slots: number;
  readonly slotsChanged$: Observable<unknown>;
  /** To be called when a request is sent. */
  begin(engineModel: string, stream: boolean): ObservedRun;
}

/** One request, to be told what becomes of it. */
export interface ObservedRun {
  /** The head of the response has come. */
  answered(): void;
  /** Idempotent. */
  over(): void;
}
