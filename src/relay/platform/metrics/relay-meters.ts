import type { IncomingMessage, ServerResponse } from 'node:http';
import { allProtocols } from '../../../dialects/protocols.js';
import { allDialects, type Dialect } from '../../../kernel/dialect.js';
import type { UsageReport } from '../../../link/messages.js';
import { LabelledCounter } from '../../../kernel/metrics/labelled-counter.js';
import { single, type Metric } from '../../../kernel/metrics/metric.js';
import { TimeHistogram } from '../../../kernel/metrics/time-histogram.js';

const dialect = { name: 'dialect', values: [...allDialects, 'none'] } as const;
const statusClass = { name: 'status_class', values: ['2xx', '3xx', '4xx', '5xx', 'none'] } as const;
const outcome = {
  name: 'outcome',
  values: ['completed', 'failed', 'cancelled', 'timed_out', 'rejected'],
} as const;
type Outcome = (typeof outcome.values)[number];
const limit = { name: 'limit', values: ['rate', 'queue', 'body_size', 'overload'] } as const;
const direction = { name: 'direction', values: ['input', 'output'] } as const;
const linkDirection = { name: 'direction', values: ['to_node', 'to_relay'] } as const;
const reason = { name: 'reason', values: ['failover', 'hedge'] } as const;

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];
const GAP_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

const dialectOfPath: ReadonlyMap<string | undefined, Dialect> = new Map(
  allProtocols.map(({ path, dialect: name }) => [path, name]),
);
const CONTENT_TOO_LARGE = 413;
const TOO_MANY_REQUESTS = 429;

/** The part of a finished inference request that is counted. */
interface CountedRequest {
  readonly stream: boolean;
  readonly code: string | null;
  readonly attempts: number;
  readonly retried: boolean;
  readonly hedged: boolean;
  readonly queuedMs: number;
  readonly firstEventMs: number | null;
  readonly totalMs: number;
  readonly usage: UsageReport | null;
}

/** Counts requests and links while they run. Nothing here allocates; `/metrics` reads it. */
export class RelayMeters {
  readonly eventGap = new TimeHistogram(
    'ferry_inter_event_seconds',
    'Time between two messages of a stream, each of one event or more that came together.',
    GAP_SECONDS,
  );
  readonly linkBytes = new LabelledCounter(
    'ferry_link_bytes_total',
    'Bytes of link messages, before WebSocket framing and TLS.',
    linkDirection,
  );
  readonly limitsHit = new LabelledCounter(
    'ferry_limits_hit_total',
    'Refused requests: rate limits, a full queue or no slot in time, too large a body, an overloaded relay.',
    limit,
  );
  private readonly requests = new LabelledCounter(
    'ferry_requests_total',
    'HTTP requests that ended. dialect="none": no inference. status_class="none": the client left before the headers.',
    dialect,
    statusClass,
    outcome,
  );
  private readonly duration = new TimeHistogram(
    'ferry_request_seconds',
    'Inference requests from the read body to the end of the answer.',
    SECONDS,
  );
  private readonly firstEvent = new TimeHistogram(
    'ferry_time_to_first_token_seconds',
    'Streamed requests from the read body to the first event of the engine.',
    SECONDS,
  );
  private readonly queueWait = new TimeHistogram(
    'ferry_queue_wait_seconds',
    'Time in the queue, of the requests that waited.',
    SECONDS,
  );
  private readonly tokens = new LabelledCounter('ferry_tokens_total', 'Tokens, as nodes report them.', direction);
  /** Requests in the queue. */
  waiting = 0;
  private attempts = 0;
  private readonly secondRuns = new LabelledCounter(
    'ferry_retries_total',
    'Requests that a second node was asked to run: after the first was lost (failover), or beside it while it was late (hedge).',
    reason,
  );

  get all(): readonly Metric[] {
    return [
      this.requests,
      this.duration,
      this.firstEvent,
      this.eventGap,
      single('gauge', 'ferry_queue_length', 'Requests that wait for a slot.', () => this.waiting),
      this.queueWait,
      this.tokens,
      single(
        'counter',
        'ferry_attempts_total',
        'Nodes that were asked to run a request, refusals and hedges included.',
        () => {
          return this.attempts;
        },
      ),
      this.secondRuns,
      this.limitsHit,
      this.linkBytes,
    ];
  }

  /** An HTTP request is over. */
  requestOver(req: IncomingMessage, res: ServerResponse, context: { readonly outcome: Outcome | undefined }): void {
    const status = res.headersSent ? res.statusCode : null;
    const path = (req as RoutedRequest).route?.path;
    this.requests.add(
      1,
      dialectOfPath.get(path) ?? 'none',
      status === null ? 'none' : classOf(status),
      context.outcome ?? outcomeOf(status, res.writableFinished),
    );
    if (status === CONTENT_TOO_LARGE) this.limitsHit.add(1, 'body_size');
    // A routed request is counted with its code.
    else if (status === TOO_MANY_REQUESTS && context.outcome === undefined) this.limitsHit.add(1, 'rate');
  }

  /** An inference request is over. */
  inferenceOver(report: CountedRequest): void {
    this.duration.observe(report.totalMs);
    if (report.stream && report.firstEventMs !== null) this.firstEvent.observe(report.firstEventMs);
    if (report.queuedMs > 0) this.queueWait.observe(report.queuedMs);
    this.attempts += report.attempts;
    if (report.retried) this.secondRuns.add(1, report.hedged ? 'hedge' : 'failover');
    if (report.code === 'rate_limit_exceeded') this.limitsHit.add(1, 'rate');
    else if (report.code === 'capacity') this.limitsHit.add(1, 'queue');
    this.used(report.usage);
  }

  /** Counts stopped requests, too, whose node reports afterwards. */
  used(usage: UsageReport | null): void {
    if (usage === null) return;
    this.tokens.add(usage.input_tokens, 'input');
    this.tokens.add(usage.output_tokens, 'output');
  }
}

/** The matched route, set by Express or the fast path. */
type RoutedRequest = IncomingMessage & { readonly route?: { readonly path?: string } };

function classOf(status: number): (typeof statusClass.values)[number] {
  if (status >= 500) return '5xx';
  if (status >= 400) return '4xx';
  return status >= 300 ? '3xx' : '2xx';
}

/** Derives the outcome of a request that was not routed. */
function outcomeOf(status: number | null, finished: boolean): Outcome {
  if (status !== null && status >= 400) return status >= 500 ? 'failed' : 'rejected';
  return finished ? 'completed' : 'cancelled';
}

/** The meters of this process: a process runs one relay. */
export const processMeters = new RelayMeters();
