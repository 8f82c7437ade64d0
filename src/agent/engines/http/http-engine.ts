import type { Observable } from 'rxjs';
import { NotJsonObjectError } from '../../../kernel/json-members.js';
import type { InputKind } from '../../../kernel/dialect.js';
import type { EngineFact } from '../../../link/messages.js';
import {
  EngineFailure,
  type Engine,
  isDocumentCall,
  isExtensionCall,
  type EngineResponse,
  type EngineCall,
  type EngineCallOf,
  type EngineCondition,
  type EngineLoadReport,
  type EngineModel,
  type EngineRoute,
  type ExtensionRoute,
  type DocumentRoute,
} from '../engine.js';
import type { EngineManagement } from '../engine-management.js';
import type { EngineAdapter, ObservedRun } from './engine-adapter.js';
import { EngineHttp } from './engine-http.js';
import { engineError } from '../failures/failures.js';
import { ForeignRequests } from './engine-load.js';
import { EngineWatch } from './engine-watch.js';
import type { EngineSnapshot } from './probe.js';
import { documentPaths, readDocument } from './document-routes.js';
import { missingRoute, routeMissing } from './missing-route.js';
import { PromptSize } from './prompt-size.js';
import { readResponse } from './read-response.js';
import { refusesLaterSystem } from './template-refusal.js';
import { BoundRequests } from './bound-requests.js';
import { rewriteRequestBody, type FieldAliases } from './request-body.js';

/** Configured values that replace missing or wrong reported ones. null: as reported. */
interface ModelOverrides {
  readonly inputs: readonly InputKind[] | null;
  readonly tools: boolean | null;
  readonly contextTokens: number | null;
  /** Names for people, by the engine's own name of the model. The canonical name, and so the identity, stays the engine's. */
  readonly displayNames: Readonly<Record<string, string>>;
}

export interface HttpEngineOptions extends ModelOverrides {
  /** Unique on this node. */
  readonly name: string;
  /** A trailing `/v1` is optional. */
  readonly baseUrl: URL;
  readonly apiKey: string | undefined;
  /** null: as reported by the engine, else {@link DEFAULT_SLOTS}. */
  readonly slots: number | null;
  readonly pollMs: number;
  readonly userAgent: string;
  /** Why there are no models, once per change; null when there is a list again. */
  readonly onProblem: (problem: string | null) => void;
}

/** Their bodies are chat requests. */
const ofChats: readonly ExtensionRoute[] = ['count'];
const DEFAULT_SLOTS = 4;
const MAX_REFUSALS = 1_000;
const typicalPaths: Record<EngineRoute, string> = { chat: '/v1/chat/completions', completions: '/v1/completions' };

/**
 * An engine behind HTTP that serves `POST /v1/chat/completions`. Polling, liveness, request rewriting, answer parsing, failures and
 * cancellation are common; the rest is in the adapter.
 */
export class HttpEngine implements Engine {
  readonly name: string;
  readonly kind: string;
  readonly management: EngineManagement;
  private readonly http: EngineHttp;
  private readonly watch: EngineWatch;
  private readonly foreign = new ForeignRequests();
  private lastLoad: EngineLoadReport | undefined;
  private readonly bound: BoundRequests | undefined;
  private running = 0;
  /** Models whose template was seen to refuse a system message behind the first turn. */
  private readonly oneSystemMessage = new Set<string>();

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
      busy: () => this.running > 0 && adapter.respondsWhileBusy !== true,
      onProblem: options.onProblem,
      onSilence: () => {
        this.bound?.fail(engineError('The engine does not answer any more.'));
      },
    });
    this.bound = adapter.respondsWhileBusy === true ? new BoundRequests() : undefined;
    this.management = adapter.management?.({ http: this.http, probeNow: () => this.probeNow() }) ?? {};
  }

  get models$(): Observable<readonly EngineModel[]> {
    return this.watch.models$;
  }

  get condition(): EngineCondition {
    return this.watch.condition;
  }

  get load(): EngineLoadReport | undefined {
    return this.watch.last === undefined ? undefined : this.lastLoad;
  }

  get slots(): number {
    return this.options.slots ?? this.adapter.runs?.slots ?? this.watch.last?.slots ?? DEFAULT_SLOTS;
  }

  get slotsChanged$(): Observable<unknown> | undefined {
    return this.options.slots === null ? this.adapter.runs?.slotsChanged$ : undefined;
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

  async run(call: EngineCall): Promise<EngineResponse> {
    if (isDocumentCall(call)) return this.compute(call);
    const { engineModel, withoutLaterSystem } = call;
    if (withoutLaterSystem === undefined) return this.send(call);
    if (this.oneSystemMessage.has(engineModel)) return this.send({ ...call, body: await withoutLaterSystem() });
    try {
      return await this.send(call);
    } catch (error) {
      if (!(error instanceof EngineFailure) || !refusesLaterSystem(error)) throw error;
      if (this.oneSystemMessage.size >= MAX_REFUSALS) this.oneSystemMessage.clear();
      this.oneSystemMessage.add(engineModel);
      return this.send({ ...call, body: await withoutLaterSystem() });
    }
  }

  private send(call: EngineCall): Promise<EngineResponse> {
    return isExtensionCall(call) ? this.answer(call) : this.ask(call);
  }

  /** A request of an extension, for which the engine has routes of its own. */
  private async answer(call: EngineCallOf<ExtensionRoute>): Promise<EngineResponse> {
    const { route, engineModel, trace } = call;
    const bound = this.bound?.begin(call.signal);
    const signal = bound?.signal ?? call.signal;
    const finished = this.begin(bound?.end);
    try {
      const answer = this.adapter.extensionRoutes?.[route];
      if (answer === undefined) throw routeMissing(route);
      const model = this.watch.models.find((candidate) => candidate.engine_model === engineModel);
      // As a chat request would be, so that the same prompt is counted.
      const adapted = ofChats.includes(route) ? this.adapter.adapt?.(call.body, 'chat', model, undefined) : undefined;
      const { body } = adapted ?? call;
      const object = await answer({ http: this.http, engineModel, body, trace, signal });
      finished();
      return { kind: 'whole', object };
    } catch (error) {
      const failure = error instanceof EngineFailure ? (this.adapter.explain?.(error, engineModel) ?? error) : error;
      finished(failure);
      throw failure;
    }
  }

  /** @param last a refused limit is not tried again */
  private async ask(call: EngineCallOf<EngineRoute>, last = false): Promise<EngineResponse> {
    const { route, engineModel, body, stream, responseOptions: wants, trace, signal: outer } = call;
    const bound = this.bound?.begin(outer);
    const signal = bound?.signal ?? outer;
    const finished = this.begin(bound?.end);
    let run: ObservedRun | undefined;
    try {
      const model = this.watch.models.find((candidate) => candidate.engine_model === engineModel);
      const size = PromptSize.ofDoubtful(body, model);
      if (this.adapter.cutsPrompts === true) size?.refuseUnplaceable();
      const adapted = this.adapter.adapt?.(body, route, model, wants) ?? { body, dropped: [] };
      const requestedName = (await this.adapter.admit?.(engineModel)) ?? engineModel;
      const native = this.adapter.native?.(adapted, route, requestedName, stream);
      const streams = stream || adapted.streams === true;
      run = this.adapter.runs?.begin(engineModel, stream);
      const response = await this.http.send({
        method: 'POST',
        path: native?.path ?? this.adapter.path?.(route) ?? typicalPaths[route],
        body: native ? [native.body] : asEngineBody(adapted.body, requestedName, streams, this.adapter.aliases),
        accept: streams ? (native ? 'application/x-ndjson' : 'text/event-stream') : 'application/json',
        trace,
        signal,
      });
      run?.answered();
      const missing = await missingRoute(response, route);
      if (missing !== undefined) throw missing;
      const request = { route, engineModel, body: adapted.body, promptTokens: wants?.promptTokens === true };
      const { explain } = this.adapter;
      const read = await readResponse(response, {
        request,
        stream,
        joined: streams && !stream,
        onStreamOver:
          run === undefined
            ? finished
            : (failure) => {
                run?.over();
                finished(failure);
              },
        grammar: native?.grammar,
        explain,
      });
      if (read.kind === 'whole') {
        run?.over();
        finished();
      }
      const result = size?.check(read) ?? read;
      const { dropped } = native ?? adapted;
      return dropped.length === 0 ? result : { ...result, dropped };
    } catch (error) {
      const failure = error instanceof EngineFailure ? (this.adapter.explain?.(error, engineModel) ?? error) : error;
      run?.over();
      finished(failure);
      const left = last || this.adapter.limitedTo === undefined ? undefined : tokensLeft(failure);
      const limited = left === undefined ? undefined : this.adapter.limitedTo?.(body, left);
      if (limited === undefined) throw failure;
      const response = await this.ask({ ...call, body: limited.body }, true);
      return { ...response, dropped: [...(response.dropped ?? []), ...limited.dropped] };
    }
  }

  /** For a route without generated text. */
  private async compute({
    route,
    engineModel,
    body,
    trace,
    signal: outer,
  }: EngineCallOf<DocumentRoute>): Promise<EngineResponse> {
    const bound = this.bound?.begin(outer);
    const finished = this.begin(bound?.end);
    let run: ObservedRun | undefined;
    try {
      const requestedName = (await this.adapter.admit?.(engineModel)) ?? engineModel;
      const native = this.adapter.document?.(body, route, requestedName);
      run = this.adapter.runs?.begin(engineModel, false);
      const response = await this.http.send({
        method: 'POST',
        path: native?.path ?? this.adapter.documentPath?.(route) ?? documentPaths[route],
        body: native?.body ?? asEngineBody(body, requestedName, false, undefined),
        trace,
        signal: bound?.signal ?? outer,
      });
      run?.answered();
      const bytes = await readDocument(response, route);
      run?.over();
      finished();
      return { kind: 'document', bytes: native === undefined ? bytes : native.read(bytes) };
    } catch (error) {
      const failure = error instanceof EngineFailure ? (this.adapter.explain?.(error, engineModel) ?? error) : error;
      run?.over();
      finished(failure);
      throw failure;
    }
  }

  private async probeNow(): Promise<readonly EngineModel[]> {
    await this.watch.probeNow();
    return this.watch.models;
  }

  private async probe(): Promise<EngineSnapshot> {
    const before = this.running;
    const snapshot = await this.adapter.probe(this.http);
    const { load } = snapshot;
    this.lastLoad = load && {
      waiting: load.waiting,
      foreign: this.foreign.seen(load, Math.max(before, this.running)),
    };
    return { ...snapshot, models: snapshot.models.map((model) => overridden(model, this.options)) };
  }

  /** @returns a function to call when the request is over, with the failure if there was one */
  private begin(onOver?: () => void): (failure?: unknown) => void {
    this.running += 1;
    let over = false;
    return (failure) => {
      if (over) return;
      over = true;
      this.running -= 1;
      onOver?.();
      // Do not wait for the next poll: until then the relay would send more requests here.
      if (!(failure instanceof EngineFailure)) return;
      const { code, unavailable } = failure.failure;
      if (code === 'engine_error' || unavailable === 'loading') void this.watch.probeNow();
    };
  }
}

/** The prompt leaves this much of the context, when only the limit of the output did not fit. */
function tokensLeft(failure: unknown): number | undefined {
  const overflow = failure instanceof EngineFailure ? failure.failure.context_overflow : undefined;
  if (overflow == null || overflow.max_tokens === null) return undefined;
  const { prompt_tokens: prompt, context_tokens: context } = overflow;
  return prompt === null || context === null || prompt >= context ? undefined : context - prompt;
}

function overridden(model: EngineModel, { inputs, tools, contextTokens, displayNames }: ModelOverrides): EngineModel {
  const { engine_model: id } = model;
  return {
    ...model,
    ...(inputs === null ? {} : { inputs: [...inputs], untried_inputs: [] }),
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
