/** Runs one request from OPEN to END. Slots are claimed and released, and outcomes decided, here only. */
import { servesDialect } from '../../kernel/dialect.js';
import { replaceHalfEscapes } from '../../kernel/well-formed-text.js';
import type { TraceHeaders } from '../../kernel/tracing/trace-headers.js';
import type { Tracer } from '../../kernel/tracing/tracer.js';
import { LinkStreamClosedError } from '../../link/link-errors.js';
import type {
  EndMessage,
  HeadMessage,
  NodeFailure,
  OpenMessage,
  RejectReason,
  ResetReason,
} from '../../link/messages.js';
import type { NodeLinkStream, NodeStreamHandler } from '../../link/stream/node-stream.js';
import { EngineFailure, type EngineResponse, type UsageReport } from '../engines/engine.js';
import type { CatalogueEntry, EngineCatalogue } from '../engines/engine-catalogue.js';
import type { Slot } from '../engines/slot-gate.js';
import { serviceOf } from './dialect-service.js';
import { wholeBody, type DialectService, type Exchange, type ExchangeContext } from './exchange.js';
import type { MediaGate } from './media/media-gate.js';
import type { BodyBudget } from './body-budget.js';
import { KeepAlive, type KeepAlivePacing } from './keep-alive.js';
import type { RecentRequests } from './recent-requests.js';
import { SentRepeats } from './repeated-events.js';
import { beginTrace, ServedSpans } from './served-spans.js';
import type { Timers } from '../connection/timers.js';

/** Counts requests. Nothing of their content reaches it. */
export interface RequestMeter {
  rejected(reason: RejectReason): void;
  /** The request of that engine is over. */
  ended(engine: string, end: EndMessage): void;
}

export interface ServingContext extends ExchangeContext {
  readonly catalogue: Pick<EngineCatalogue, 'find' | 'learn'>;
  readonly media: Pick<MediaGate, 'admit'>;
  readonly recentRequests: RecentRequests;
  readonly bodyLimitBytes: number;
  readonly bodies: BodyBudget;
  readonly timers: Timers;
  /** Used for dialects whose keep-alive events come from the node. */
  readonly keepAlive: KeepAlivePacing;
  /** True once the node drains or is paused: running requests finish, new ones are rejected. */
  readonly closedToWork: () => boolean;
  /** Called when a request is accepted; the returned function is called once when the request is over. */
  readonly onAccepted: () => () => void;
  /** A bug of ours or an engine's, for the log: never anything of the request. */
  readonly onUnexpected: (error: unknown) => void;
  /** Absent: requests are not counted. */
  readonly meter?: RequestMeter | undefined;
  /** Absent: nothing is recorded, traces are passed on to the engine. */
  readonly tracer?: Tracer | undefined;
}

/** Answers OPEN with ACK or REJECT at once, and returns the handler of the stream. */
export function serveRequest(
  head: OpenMessage,
  stream: NodeLinkStream,
  context: ServingContext,
  replica = '',
): NodeStreamHandler {
  const admission = admit(head, context, replica);
  if ('reason' in admission) {
    context.meter?.rejected(admission.reason);
    stream.reject(admission.reason, admission.message);
    return nothingToHandle;
  }
  context.recentRequests.add(head.request_id);
  stream.ack();
  return new ServedRequest(head, stream, context, admission);
}

interface Admission {
  readonly service: DialectService;
  readonly entry: CatalogueEntry;
  readonly slot: Slot;
  readonly releaseBody: () => void;
}

interface Refusal {
  readonly reason: RejectReason;
  readonly message?: string;
}

/**
 * Does not call the engine: a rejection costs nothing, and never makes an engine load a model
 * (docs/reference/inventory.md#loaded-means-resident).
 */
function admit(head: OpenMessage, context: ServingContext, replica: string): Admission | Refusal {
  if (context.closedToWork()) return { reason: 'draining' };
  if (context.recentRequests.has(head.request_id))
    return { reason: 'busy', message: 'this request is already running on this node' };
  if (head.body_bytes > context.bodyLimitBytes) return { reason: 'unsupported', message: 'the body is too large' };
  const entry = context.catalogue.find(head.model_key);
  if (entry?.report.state !== 'loaded') return { reason: 'not_loaded' };
  if (!servesDialect(entry.report, head.dialect)) return { reason: 'unsupported' };
  const slot = entry.gate.claim(replica);
  if (slot === undefined) return { reason: 'busy' };
  const releaseBody = context.bodies.claim(head.body_bytes);
  if (releaseBody !== undefined) return { service: serviceOf(head.dialect), entry, slot, releaseBody };
  slot.release();
  return { reason: 'busy', message: 'the node has reached its memory limit for request bodies' };
}

/** Reported like a field: what was sent is not what the engine gets. */
const HALF_PAIRS = 'unpaired_surrogates';
/** An engine may send heartbeats much more often. */
const HEARTBEAT_MS = 1_000;
const NO_BODY = Buffer.alloc(0);
const nothingToHandle: NodeStreamHandler = { onBody: () => undefined, onReset: () => undefined };

const silentEngine = (): EngineFailure =>
  new EngineFailure({
    code: 'engine_timeout',
    status: null,
    message: 'The engine produced no output in time.',
    param: null,
    retry_after_seconds: null,
  });

type StreamedResponse = Extract<EngineResponse, { kind: 'stream' }>;

class ServedRequest implements NodeStreamHandler {
  private readonly aborting = new AbortController();
  private readonly startedMs: number;
  private readonly over: () => void;
  /** Made once at its full size, so that no pause for joining pieces falls into other streams. */
  private body: Buffer;
  private bodyReceived = 0;
  private running = false;
  /** Request fields without effect, reported by the translation and then by the engine. */
  private dropped: readonly string[] = [];
  /** Request fields that the model gets in another form. */
  private changed: readonly string[] = [];
  private headSent = false;
  /** Set by the engine's first output. */
  private firstEventMs: number | null = null;
  private lastSignMs = -HEARTBEAT_MS;
  private keepAlive: KeepAlive | undefined;
  /** Set when the engine was stopped because it had produced nothing in time. */
  private isAbandoned: EngineFailure | undefined;
  /** The engine's own count, where it is known before the end. */
  private usageSoFar: (() => UsageReport | null) | undefined;
  /** Undefined: the request is not part of a trace. */
  private readonly trace: ServedSpans | TraceHeaders | undefined;

  constructor(
    private readonly head: OpenMessage,
    private readonly stream: NodeLinkStream,
    private readonly context: ServingContext,
    private readonly admission: Admission,
  ) {
    this.startedMs = context.clock.monotonicMs();
    this.body = Buffer.allocUnsafe(head.body_bytes);
    this.over = context.onAccepted();
    this.trace = beginTrace(head, admission.entry, context.tracer);
  }

  onBody(chunk: Buffer, last: boolean): void {
    this.bodyReceived += chunk.copy(this.body, this.bodyReceived);
    // Credit for what is kept: the budget of all bodies has room for this one.
    this.stream.bodyTaken(chunk.length);
    if (!last) return;
    const { body } = this;
    this.body = NO_BODY;
    this.running = true;
    void this.run(body);
  }

  onReset(reason: ResetReason | 'link_closed'): void {
    this.body = NO_BODY;
    this.aborting.abort(new LinkStreamClosedError(reason));
    // Otherwise `run` releases the slot when the engine has stopped: until then the engine is not free.
    if (!this.running) this.end('cancelled', null, undefined);
  }

  private async run(body: Buffer): Promise<void> {
    const { service, entry } = this.admission;
    let exchange: Exchange | undefined;
    try {
      // Strict engines refuse the whole request for half a character, which the client would send again with every turn.
      const valid = replaceHalfEscapes(body);
      exchange = service.begin(valid, this.head, entry.report, this.context);
      this.dropped = valid === body ? exchange.dropped : [...exchange.dropped, HALF_PAIRS];
      if (exchange.changed !== undefined) this.changed = exchange.changed;
      this.keepAlive = this.startKeepAlive(exchange);
      const { signal } = this.aborting;
      const { withoutLaterSystem } = exchange;
      const admitted = this.context.media.admit(exchange.body, signal);
      const response = await entry.engine.run({
        route: service.route,
        engineModel: entry.report.engine_model,
        // Not awaited when nothing was to be fetched, as nearly always.
        body: Buffer.isBuffer(admitted) ? admitted : await admitted,
        stream: this.head.stream,
        ...(withoutLaterSystem !== undefined && {
          withoutLaterSystem: () => this.context.media.admit(withoutLaterSystem(), signal),
        }),
        ...(exchange.responseOptions !== undefined && { responseOptions: exchange.responseOptions }),
        ...(this.trace !== undefined && {
          trace: this.trace instanceof ServedSpans ? this.trace.engineCalled() : this.trace,
        }),
        signal,
        onMeter: (usageSoFar) => {
          this.usageSoFar = usageSoFar;
          exchange?.metered?.(usageSoFar);
        },
      });
      if (response.dropped !== undefined) this.dropped = [...new Set([...this.dropped, ...response.dropped])];
      const sending =
        response.kind === 'stream'
          ? this.send(response, exchange)
          : this.sendWhole(wholeBody(response, exchange), exchange);
      if (sending === 'ended') return;
      await sending;
      this.end('completed', null, exchange);
    } catch (error) {
      if (this.isAbandoned !== undefined) this.end('failed', this.isAbandoned.failure, exchange);
      else if (this.aborting.signal.aborted) this.end('cancelled', null, exchange);
      else this.end('failed', this.failureOf(error), exchange);
    }
  }

  /** A short response goes with its end; for any other the end follows. */
  private sendWhole(bytes: Buffer, exchange: Exchange): Promise<void> | undefined | 'ended' {
    if (!this.stream.takesWhole(bytes.length)) return this.write(bytes, 'application/json', bytes.length);
    this.outputBegins();
    const end = this.endOf('completed', null, exchange);
    this.stream.whole(this.headOf('application/json', bytes.length), bytes, end);
    return 'ended';
  }

  private async send(response: StreamedResponse, exchange: Exchange): Promise<void> {
    const write = (bytes: Buffer | undefined): Promise<void> | undefined =>
      bytes === undefined ? undefined : this.write(bytes, 'text/event-stream', null);
    const repeats = exchange.repetition && new SentRepeats(this.stream, exchange.repetition);
    try {
      await response.chunks.pipe(
        (batch) => (batch.length === 0 ? this.heartbeat() : write(exchange.events(batch))),
        repeats,
      );
    } finally {
      repeats?.report();
    }
    await this.write(exchange.lastEvents(), 'text/event-stream', null);
  }

  /** An engine that only tells that it is alive: the relay ends a stream on which nothing comes. */
  private heartbeat(): Promise<void> | undefined {
    const now = this.elapsedMs();
    if (this.firstEventMs === null || now - this.lastSignMs < HEARTBEAT_MS) return undefined;
    this.lastSignMs = now;
    return this.stream.write(Buffer.from(this.admission.service.keepAlive));
  }

  private write(
    bytes: Buffer,
    contentType: HeadMessage['content_type'],
    contentLength: number | null,
  ): Promise<void> | undefined {
    if (this.firstEventMs !== null) return this.stream.write(bytes);
    this.outputBegins();
    const sending = this.keepAlive?.stop();
    this.sendHead(contentType, contentLength, false);
    return sending === undefined ? this.stream.write(bytes) : sending.then(() => this.stream.write(bytes));
  }

  private outputBegins(): void {
    this.firstEventMs = this.elapsedMs();
    if (this.trace instanceof ServedSpans) this.trace.firstOutput();
  }

  private startKeepAlive(exchange: Exchange): KeepAlive | undefined {
    if (!this.head.stream || exchange.keepAlive === undefined) return undefined;
    const { keepAlive: pacing, timers, clock } = this.context;
    const subject = {
      send: () => {
        const bytes = exchange.keepAlive?.();
        if (bytes === undefined || this.aborting.signal.aborted) return undefined;
        this.sendHead('text/event-stream', null, true);
        return this.stream.write(bytes);
      },
      giveUp: () => {
        this.isAbandoned = silentEngine();
        this.aborting.abort(this.isAbandoned);
      },
    };
    return new KeepAlive(subject, pacing, this.head.first_output_ms ?? null, timers, () => clock.monotonicMs());
  }

  /**
   * HEAD goes with the first output, so that a failure before it keeps its status (docs/reference/request-lifecycle.md#phases), or with
   * the first keep-alive event.
   */
  private sendHead(
    contentType: HeadMessage['content_type'],
    contentLength: number | null,
    awaitingOutput: boolean,
  ): void {
    if (this.headSent) return;
    this.headSent = true;
    const head = this.headOf(contentType, contentLength);
    this.stream.head(awaitingOutput ? { ...head, awaiting_output: true } : head);
  }

  private headOf(contentType: HeadMessage['content_type'], contentLength: number | null): HeadMessage {
    const native = this.admission.service.route === this.head.dialect;
    return {
      status: 200,
      content_type: contentType,
      content_length: contentLength,
      translation: {
        native,
        dropped: [...this.dropped],
        ...(this.changed.length > 0 && { changed: [...this.changed] }),
      },
    };
  }

  /** On a stream that was reset, this confirms that the engine has stopped. */
  private end(outcome: EndMessage['outcome'], failure: NodeFailure | null, exchange: Exchange | undefined): void {
    this.stream.end(this.endOf(outcome, failure, exchange));
  }

  /** Gives back the slot before END is sent: the relay may give it to the next request as soon as it reads that. */
  private endOf(
    outcome: EndMessage['outcome'],
    failure: NodeFailure | null,
    exchange: Exchange | undefined,
  ): EndMessage {
    this.settle();
    exchange?.over?.();
    const end: EndMessage = {
      outcome,
      failure,
      usage: this.usageUsed(outcome, exchange),
      timings: { first_event_ms: this.firstEventMs, total_ms: this.elapsedMs() },
      dropped: [...this.dropped],
    };
    this.context.meter?.ended(this.admission.entry.engine.name, end);
    if (this.trace instanceof ServedSpans) this.trace.ended(end);
    return end;
  }

  private usageUsed(outcome: EndMessage['outcome'], exchange: Exchange | undefined): UsageReport | null {
    // A completed answer reports the usage its client was given; for others the engine's own count is more complete.
    const own = outcome === 'completed' ? null : this.usageSoFar?.();
    return own ?? exchange?.usage ?? null;
  }

  private settle(): void {
    void this.keepAlive?.stop();
    this.admission.slot.release();
    this.admission.releaseBody();
    this.over();
  }

  private failureOf(error: unknown): NodeFailure {
    if (error instanceof EngineFailure) {
      const { failure, capability } = error;
      if (capability !== undefined) this.context.catalogue.learn(this.head.model_key, capability);
      return withContext(failure, this.admission.entry.report.context_length);
    }
    this.context.onUnexpected(error);
    return {
      code: 'engine_error',
      status: 503,
      message: 'The node failed to run the request.',
      param: null,
      retry_after_seconds: null,
    };
  }

  private elapsedMs(): number {
    return Math.round(this.context.clock.monotonicMs() - this.startedMs);
  }
}

/** Adds the context length of the model list where the engine's refusal does not contain it. */
function withContext(failure: NodeFailure, contextTokens: number | null): NodeFailure {
  const { context_overflow: overflow } = failure;
  if (overflow == null || overflow.context_tokens !== null) return failure;
  return { ...failure, context_overflow: { ...overflow, context_tokens: contextTokens } };
}
