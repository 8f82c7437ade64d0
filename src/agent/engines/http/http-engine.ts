import type { Observable } from 'rxjs';
import { NotJsonObjectError } from '../../../kernel/json-members.js';
import type { InputKind } from '../../../kernel/dialect.js';
import type { EngineFact } from '../../../link/messages.js';
import {
  EngineFailure,
  type AnswerWants,
  type Engine,
  type EngineAnswer,
  type EngineCall,
  type EngineCondition,
  type EngineModel,
  type EngineRoute,
} from '../engine.js';
import type { EngineManagement } from '../engine-management.js';
import { EngineHttp } from './engine-http.js';
import { EngineWatch } from './engine-watch.js';
import type { EngineSnapshot } from './probe.js';
import { PromptSize } from './prompt-size.js';
import { readAnswer, type AnswerGrammar } from './read-answer.js';
import { rewriteRequestBody, type FieldAliases } from './request-body.js';

/** What an engine's own management routes need. */
export interface EngineHandle {
  readonly http: EngineHttp;
  /** Looks at the engine at once; resolves with its models as they are told to the relay from now on. */
  readonly probeNow: () => Promise<readonly EngineModel[]>;
}

/** A request in the words of one engine. */
export interface AdaptedRequest {
  readonly body: Buffer;
  /** Fields that the engine will not honour in any form. */
  readonly dropped: readonly string[];
}

/** A request to a route of the engine's own, which has another grammar than OpenAI's. */
export interface NativeRequest extends AdaptedRequest {
  readonly path: string;
  readonly grammar: AnswerGrammar;
}

/** What one kind of engine does in its own way; everything else is {@link HttpEngine}. */
export interface EngineAdapter {
  readonly kind: string;
  /**
   * The engine's models right now. Asked every `pollMs`, after every operation, and after every failure. GETs only: nothing here may
   * make the engine load a model (docs/reference/inventory.md#loaded-means-resident). Use `probeEngine` and `probeIfPresent`, which are bounded.
   * @throws UnusableEngineError when the engine answers, but not with models; whatever the lack of an answer throws means "gone"
   */
  readonly probe: (http: EngineHttp) => Promise<EngineSnapshot>;
  /** Where a route is, if not at its usual place. */
  readonly path?: (route: EngineRoute) => string;
  /** Request fields that the engine knows by another name only. */
  readonly aliases?: FieldAliases;
  /**
   * The request in this engine's words, before `model` and `stream` are set in it; `model` is the engine's own, as it was last seen.
   */
  readonly adapt?: (
    body: Buffer,
    route: EngineRoute,
    model: EngineModel | undefined,
    wants: AnswerWants | undefined,
  ) => AdaptedRequest;
  /**
   * The last look before a request goes out, for engines that would load what they do not have in memory.
   * @returns the name under which to ask for the model
   * @throws EngineFailure when the engine must not be asked
   */
  readonly admit?: (engineModel: string) => Promise<string>;
  /**
   * The adapted request in words that only a native route of the engine understands. Asked after `admit`.
   * @param engineModel the name that `admit` gave
   * @returns undefined for the usual route
   * @throws EngineFailure for a request that has no translation
   */
  readonly native?: (
    adapted: AdaptedRequest,
    route: EngineRoute,
    engineModel: string,
    stream: boolean,
  ) => NativeRequest | undefined;
  /** Cuts a prompt that is longer than the context, without a word: what cannot fit is not sent. */
  readonly cutsPrompts?: boolean;
  /** A failure of this engine's in truer words; by default as `failures.ts` reads it. */
  readonly explain?: (failure: EngineFailure) => EngineFailure;
  readonly management?: (handle: EngineHandle) => EngineManagement;
}

/** From the configuration: what the engine does not say, or says wrongly. null: as the engine says. */
export interface ModelOverrides {
  readonly inputs: readonly InputKind[] | null;
  readonly tools: boolean | null;
  readonly contextTokens: number | null;
  /** Names for people, by the engine's own name of the model. The canonical name, and so the identity, stays the engine's. */
  readonly displayNames: Readonly<Record<string, string>>;
}

export interface HttpEngineOptions extends ModelOverrides {
  /** Unique on this node. */
  readonly name: string;
  /** With or without `/v1`. */
  readonly baseUrl: URL;
  readonly apiKey: string | undefined;
  /** null: as many as the engine says, else {@link DEFAULT_SLOTS}. */
  readonly slots: number | null;
  readonly pollMs: number;
  readonly userAgent: string;
  /** Why there are no models, once per change; null when there is a list again. */
  readonly onProblem: (problem: string | null) => void;
}

const DEFAULT_SLOTS = 4;
const usualPaths: Record<EngineRoute, string> = { chat: '/v1/chat/completions', completions: '/v1/completions' };

/**
 * An engine behind HTTP that serves `POST /v1/chat/completions`. What is its own is in the adapter; polling, "busy is not gone", the
 * request's rewriting, the answer's grammar, failures and cancellation are the same for all.
 */
export class HttpEngine implements Engine {
  readonly name: string;
  readonly kind: string;
  readonly management: EngineManagement;
  private readonly http: EngineHttp;
  private readonly watch: EngineWatch;
  private running = 0;

  constructor(
    private readonly options: HttpEngineOptions,
    private readonly adapter: EngineAdapter,
  ) {
    this.name = options.name;
    this.kind = adapter.kind;
    this.http = new EngineHttp({
      ...options,
      onConnectionClosed: () => {
        this.watch.connectionClosed();
      },
    });
    this.watch = new EngineWatch({
      probe: () => this.probe(),
      pollMs: options.pollMs,
      busy: () => this.running > 0,
      onProblem: options.onProblem,
    });
    this.management = adapter.management?.({ http: this.http, probeNow: () => this.probeNow() }) ?? {};
  }

  get models$(): Observable<readonly EngineModel[]> {
    return this.watch.models$;
  }

  get condition(): EngineCondition {
    return this.watch.condition;
  }

  get slots(): number {
    return this.options.slots ?? this.watch.last?.slots ?? DEFAULT_SLOTS;
  }

  facts(): EngineFact {
    const { last } = this.watch;
    return { name: this.name, kind: last?.kind ?? this.kind, version: last?.version ?? null };
  }

  start(): Promise<void> {
    return this.watch.start();
  }

  async stop(): Promise<void> {
    this.watch.stop();
    await this.http.close();
  }

  async run({ route, engineModel, body, stream, wants, signal }: EngineCall): Promise<EngineAnswer> {
    const finished = this.begin();
    try {
      const model = this.watch.models.find((candidate) => candidate.engine_model === engineModel);
      const size = PromptSize.ofDoubtful(body, model);
      if (this.adapter.cutsPrompts === true) size?.refuseHopeless();
      const adapted = this.adapter.adapt?.(body, route, model, wants) ?? { body, dropped: [] };
      const askedName = (await this.adapter.admit?.(engineModel)) ?? engineModel;
      const native = this.adapter.native?.(adapted, route, askedName, stream);
      const reply = await this.http.send({
        method: 'POST',
        path: native?.path ?? this.adapter.path?.(route) ?? usualPaths[route],
        body: native ? [native.body] : asEngineBody(adapted.body, askedName, stream, this.adapter.aliases),
        accept: stream ? (native ? 'application/x-ndjson' : 'text/event-stream') : 'application/json',
        signal,
      });
      const read = await readAnswer(reply, stream, finished, native?.grammar);
      if (read.kind === 'whole') finished();
      const answer = size?.check(read) ?? read;
      const { dropped } = native ?? adapted;
      return dropped.length === 0 ? answer : { ...answer, dropped };
    } catch (error) {
      const failure = error instanceof EngineFailure ? (this.adapter.explain?.(error) ?? error) : error;
      finished(failure);
      throw failure;
    }
  }

  private async probeNow(): Promise<readonly EngineModel[]> {
    await this.watch.probeNow();
    return this.watch.models;
  }

  private async probe(): Promise<EngineSnapshot> {
    const snapshot = await this.adapter.probe(this.http);
    return { ...snapshot, models: snapshot.models.map((model) => overridden(model, this.options)) };
  }

  /** @returns what to call when the request is over, with what ended it */
  private begin(): (failure?: unknown) => void {
    this.running += 1;
    let over = false;
    return (failure) => {
      if (over) return;
      over = true;
      this.running -= 1;
      // A poll would find out in seconds; until then the relay would send more requests here.
      if (failure instanceof EngineFailure && failure.failure.code === 'engine_error') void this.watch.probeNow();
    };
  }
}

function overridden(model: EngineModel, { inputs, tools, contextTokens, displayNames }: ModelOverrides): EngineModel {
  const { engine_model: id } = model;
  return {
    ...model,
    ...(inputs === null ? {} : { inputs: [...inputs] }),
    ...(tools === null ? {} : { tools }),
    ...(contextTokens === null ? {} : { context_length: contextTokens }),
    ...(Object.hasOwn(displayNames, id) ? { display_name: displayNames[id] ?? id } : {}),
  };
}

function asEngineBody(
  body: Buffer,
  model: string,
  stream: boolean,
  aliases: FieldAliases | undefined,
): readonly Buffer[] {
  try {
    return rewriteRequestBody(body, { model, stream, ...(aliases === undefined ? {} : { aliases }) });
  } catch (error) {
    if (!(error instanceof NotJsonObjectError)) throw error;
    throw new EngineFailure(
      { code: 'invalid_request', status: 400, message: error.message, param: null, retry_after_seconds: null },
      { cause: error },
    );
  }
}
