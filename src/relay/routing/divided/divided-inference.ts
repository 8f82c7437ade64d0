/**
 * One request that several nodes serve in parts: the client sees one response, the limits one request, and metering one outcome. Each part is
 * an inference request of its own, so that it waits, fails over and is stopped like any other.
 */
import { Observable, type Subscriber } from 'rxjs';
import type { DividedRequest } from '../../../dialects/divided-request.js';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import type { ErrorCode } from '../../../kernel/errors/error-catalogue.js';
import { createRequestId, type ApiKeyId, type RequestId } from '../../../kernel/ids.js';
import type { ResetReason, UsageReport } from '../../../link/messages.js';
import type { Placement } from '../../inventory/model-entry.js';
import type { BodyReservation } from '../../platform/http/body/body-budget.js';
import type { RequestOutcome } from '../../platform/http/request-context.js';
import type { ResponseSource } from '../../platform/http/response-source.js';
import { nextToken } from '../admission/request-token.js';
import { InferenceRequest } from '../request/inference-request.js';
import { LiveRequests, NOT_LISTED, type LiveRequest } from '../request/live-requests.js';
import type { OutcomeReport, OutcomeSink } from '../request/outcome-report.js';
import type { RequestEnd } from '../request/outcome.js';
import { RequestAllowance } from '../request/request-allowance.js';
import { RequestTimeline } from '../request/request-timeline.js';
import type { RoutedRequest, RoutedRequestBody } from '../request/routed-request.js';
import type { RoutingContext } from '../request/routing-context.js';
import { asPieces, HeldPieces } from './held-pieces.js';
import { PartReports } from './part-reports.js';
import { RequestPart, type PartOwner } from './request-part.js';

export interface DividedOptions {
  readonly request: DividedRequest;
  /** Parts that run at the same time. */
  readonly parallel: number;
  /** Of the response, which is in memory until the client has read it. */
  readonly limitBytes: number;
  readonly memory: BodyReservation;
}

const nothingToRelease = (): void => undefined;

export class DividedInference implements ResponseSource, LiveRequest, PartOwner, OutcomeSink {
  readonly bytes$ = new Observable<Uint8Array>((subscriber) => {
    this.subscriber = subscriber;
    this.admit(false);
    return () => {
      this.end({ outcome: 'cancelled', error: null, reset: 'cancelled', usage: null });
      this.options.memory.release();
    };
  });

  readonly token = nextToken();
  readonly timeline: RequestTimeline;
  readonly keyPublicId: ApiKeyId;
  listIndex = NOT_LISTED;
  listenerState: object | undefined = undefined;
  private subscriber: Subscriber<Uint8Array> | null = null;
  private readonly allowance: RequestAllowance;
  private readonly running = new Map<RequestId, RequestPart>();
  /** Stopped parts whose nodes have not reported yet. */
  private readonly unconfirmed = new Set<RequestId>();
  private readonly responses: Buffer[] = [];
  private readonly reports = new PartReports();
  private readonly partContext: RoutingContext;
  private begun = 0;
  private completedParts = 0;
  private receivedBytes = 0;
  private over = false;
  private held: HeldPieces | null = null;
  private partHeaders: Readonly<Record<string, string>> = {};

  /** @param arrival counts requests; smaller came earlier */
  constructor(
    readonly routed: RoutedRequest,
    private readonly body: RoutedRequestBody,
    private readonly arrival: number,
    private readonly context: RoutingContext,
    private readonly options: DividedOptions,
  ) {
    this.keyPublicId = routed.keyPublicId;
    this.timeline = new RequestTimeline(context.clock);
    this.allowance = new RequestAllowance(context.rateLimits);
    this.partContext = {
      ...context,
      // The request as a whole was admitted, is listed, and is metered.
      rateLimits: { queryFirst: () => null, admit: () => null },
      live: new LiveRequests(),
      outcomes: this,
      hedging: null,
    };
  }

  atBoundary(): boolean {
    return true;
  }

  contentLength(): number | null {
    return this.held?.bytes ?? null;
  }

  headers(): Readonly<Record<string, string>> {
    return { ...this.partHeaders, ...this.allowance.headers };
  }

  consumed(bytes: number): void {
    this.held?.consumed(bytes);
  }

  get waiting(): boolean {
    return !this.over && [...this.running.values()].every(({ request }) => request.waiting);
  }

  waits(): boolean {
    return this.waiting;
  }

  get placement(): Placement | null {
    for (const { request } of this.running.values()) if (request.placement !== null) return request.placement;
    return null;
  }

  readonly receivedEvents = null;
  readonly silentMs = null;

  abort(outcome: 'failed' | 'cancelled', code: ErrorCode, message: string, reset: ResetReason): void {
    this.end({ outcome, error: new FerryError(code, message, { shouldRetry: false }), reset, usage: null });
  }

  received(bytes: number): void {
    const { limitBytes, memory } = this.options;
    this.receivedBytes += bytes;
    if (this.receivedBytes > limitBytes) {
      throw new FerryError(
        'invalid_request',
        `The response is larger than ${limitBytes} bytes. Send fewer inputs, or \`"encoding_format": "base64"\`.`,
        { param: 'input', shouldRetry: false },
      );
    }
    memory.grow(bytes);
  }

  completed(part: RequestPart): void {
    if (this.over) return;
    this.responses[part.index] = part.response;
    if (part.index === 0) this.partHeaders = part.request.headers();
    this.completedParts += 1;
    if (this.completedParts === 1) this.timeline.firstEvent();
    if (this.completedParts === this.options.request.parts.length) this.join();
    else this.fill();
  }

  failed(error: FerryError): void {
    this.end({ outcome: outcomeOf(error), error, reset: 'cancelled', usage: null });
  }

  /** The report of a part. */
  record(report: OutcomeReport): void {
    const part = this.running.get(report.requestId);
    if (part === undefined) return;
    this.running.delete(report.requestId);
    this.reports.add(report);
    if (report.usagePending) this.unconfirmed.add(report.requestId);
    const { context } = this.routed;
    context.model = part.request.routed.context.model;
    context.nodeId = report.nodeId ?? context.nodeId;
    context.clusterId = report.clusterId ?? context.clusterId;
    part.reported(report);
  }

  confirmed(requestId: RequestId, usage: UsageReport | null): void {
    if (!this.unconfirmed.delete(requestId)) return;
    if (usage !== null) this.reports.addUsage(usage);
    if (this.unconfirmed.size > 0) return;
    const { used } = this.reports;
    if (used !== null) this.allowance.permit?.charge(used);
    this.context.outcomes.confirmed(this.routed.context.requestId, used);
  }

  /** @param asked other replicas were asked, because a limit could not decide alone */
  private admit(asked: boolean): void {
    const responses = this.context.rateLimits.queryFirst(this.routed, asked);
    if (responses !== null) {
      void responses.then(() => {
        if (!this.over) this.admit(true);
      });
      return;
    }
    const refused = this.context.gate(this.routed) ?? this.allowance.take(this.routed, this.body.raw.length);
    if (refused !== null) {
      this.end({ outcome: 'rejected', error: refused, reset: null, usage: null });
      return;
    }
    this.context.live.add(this);
    this.fill();
  }

  private fill(): void {
    const { request, parallel } = this.options;
    while (!this.over && this.running.size < parallel && this.begun < request.parts.length) this.begin(this.begun++);
  }

  private begin(index: number): void {
    const raw = this.options.request.parts[index]?.() ?? Buffer.alloc(0);
    const { routed } = this;
    const { trace } = routed;
    const own: RoutedRequest = {
      ...routed,
      context: { ...routed.context, requestId: createRequestId() },
      partOf: this,
      // The spans are those of the whole request.
      trace: trace && { headersFor: (nodeId) => trace.headersFor(nodeId) },
    };
    const request = new InferenceRequest(own, { raw, release: nothingToRelease }, this.arrival, this.partContext);
    const part = new RequestPart(index, request, this);
    this.running.set(part.id, part);
    part.start();
  }

  private join(): void {
    const { used } = this.reports;
    const tokens = used?.input_tokens ?? 0;
    try {
      const usage = { prompt_tokens: tokens, total_tokens: tokens };
      const pieces = asPieces(this.options.request.join(this.responses, usage));
      this.responses.length = 0;
      if (this.subscriber !== null) this.held = new HeldPieces(pieces, this.subscriber);
      this.end({ outcome: 'completed', error: null, reset: null, usage: used });
    } catch (error) {
      const cause = { cause: error, shouldRetry: false };
      this.failed(new FerryError('engine_error', 'A node responded with something else than embeddings.', cause));
    }
  }

  /** The only exit, as that of `InferenceRequest`: the outcome is final before anything else happens. */
  private end(end: RequestEnd): void {
    if (this.over) return;
    this.over = true;
    this.routed.context.outcome = end.outcome;
    for (const part of [...this.running.values()]) part.stop();
    const { used } = this.reports;
    const outcome = { ...end, usage: used };
    try {
      this.context.lifecycle.ended(this, outcome);
    } finally {
      this.context.live.delete(this);
      this.body.release();
      this.allowance.settle(outcome, this.reports.reachedNode);
      this.notify(outcome);
    }
  }

  private notify({ outcome, error, usage }: RequestEnd): void {
    try {
      if (error !== null) this.subscriber?.error(error);
      else this.held?.give();
    } finally {
      const { context, accountId, keyPublicId, query } = this.routed;
      this.context.outcomes.record({
        requestId: context.requestId,
        accountId,
        keyPublicId,
        dialect: query.dialect,
        model: query.model,
        stream: false,
        outcome,
        code: error?.code ?? null,
        message: error?.message ?? null,
        hedged: false,
        ...this.reports.course,
        firstEventMs: this.timeline.firstEventMs,
        totalMs: this.timeline.totalMs,
        responseBytes: this.held?.bytes ?? 0,
        usage,
        usagePending: this.unconfirmed.size > 0,
      });
    }
  }
}

/** As a part with this error has ended. */
function outcomeOf({ code }: FerryError): Exclude<RequestOutcome, 'completed' | 'cancelled'> {
  switch (code) {
    case 'engine_timeout':
      return 'timed_out';
    case 'capacity':
    case 'no_node_for_user':
    case 'model_not_found':
    case 'unsupported_capability':
    case 'rate_limit_exceeded':
    case 'overloaded':
    case 'draining':
      return 'rejected';
    default:
      return 'failed';
  }
}
