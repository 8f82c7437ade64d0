import { LabelledCounter } from '../../kernel/metrics/labelled-counter.js';
import { single, type Metric } from '../../kernel/metrics/metric.js';
import { TimeHistogram } from '../../kernel/metrics/time-histogram.js';
import { rejectReasons, type EndMessage, type RejectReason } from '../../link/messages.js';
import type { LinkOutcome } from '../connection/reconnect-policy.js';
import type { LinkMeter } from '../connection/socket-transport.js';
import type { RequestMeter } from '../inference/serve-request.js';
import { EngineCounter } from './engine-counter.js';

const outcome = { name: 'outcome', values: ['completed', 'failed', 'cancelled'] } as const;
const linkOutcome = {
  name: 'reason',
  values: ['lost', 'duplicate_home', 'unauthorized', 'revoked', 'superseded', 'incompatible'],
} as const;
const tokenDirection = { name: 'direction', values: ['input', 'output'] } as const;
const linkDirection = { name: 'direction', values: ['to_node', 'to_relay'] } as const;

/** Up to the time that a large model takes for a long prompt on a slow computer. */
const SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

/** Counts requests and links of a node while they run. It exists only where metrics are served. */
export class NodeMeters implements RequestMeter, LinkMeter {
  private linksOpened = 0;
  private readonly linkFailures = new LabelledCounter(
    'ferry_node_link_failures_total',
    'Links that were lost or could not be opened, by reason.',
    linkOutcome,
  );
  private readonly linkBytes = new LabelledCounter(
    'ferry_node_link_bytes_total',
    'Bytes of link messages, before WebSocket framing and TLS.',
    linkDirection,
  );
  private readonly rejections = new LabelledCounter(
    'ferry_node_rejections_total',
    'Requests that the node did not accept, by reason. The relay asks another node.',
    { name: 'reason', values: rejectReasons },
  );
  private readonly requests;
  private readonly tokens;
  private readonly duration = new TimeHistogram(
    'ferry_node_request_seconds',
    'Accepted requests from their head to the end of the answer.',
    SECONDS,
  );
  private readonly firstEvent = new TimeHistogram(
    'ferry_node_time_to_first_output_seconds',
    'Accepted requests from their head to the first output of the engine.',
    SECONDS,
  );

  /** @param engines names of the present engines */
  constructor(engines: () => Iterable<string>) {
    this.requests = new EngineCounter('ferry_node_requests_total', 'Accepted requests that ended.', outcome, engines);
    this.tokens = new EngineCounter(
      'ferry_node_tokens_total',
      'Tokens, as engines report them; output of an engine that reports none is counted by its chunks.',
      tokenDirection,
      engines,
    );
  }

  get all(): readonly Metric[] {
    return [
      this.requests,
      this.rejections,
      this.duration,
      this.firstEvent,
      this.tokens,
      single(
        'counter',
        'ferry_node_links_opened_total',
        'Links that the relay admitted; all but the first of each relay process are reconnects.',
        () => this.linksOpened,
      ),
      this.linkFailures,
      this.linkBytes,
    ];
  }

  rejected(reason: RejectReason): void {
    this.rejections.add(1, reason);
  }

  ended(engine: string, { outcome: how, usage, timings }: EndMessage): void {
    this.requests.add(1, engine, how);
    this.duration.observe(timings.total_ms);
    if (timings.first_event_ms !== null) this.firstEvent.observe(timings.first_event_ms);
    if (usage === null) return;
    this.tokens.add(usage.input_tokens, engine, 'input');
    this.tokens.add(usage.output_tokens, engine, 'output');
  }

  linkOpened(): void {
    this.linksOpened += 1;
  }

  linkFailed(reason: LinkOutcome['kind']): void {
    this.linkFailures.add(1, reason);
  }

  sent(bytes: number): void {
    this.linkBytes.add(bytes, 'to_relay');
  }

  received(bytes: number): void {
    this.linkBytes.add(bytes, 'to_node');
  }
}
