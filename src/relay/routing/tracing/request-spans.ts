import { genAiAttributes, operationOf, spanNameOf, usageAttributes } from '../../../kernel/tracing/gen-ai.js';
import type { NodeId } from '../../../kernel/ids.js';
import { seconds, type Attributes, type Span } from '../../../kernel/tracing/span.js';
import type { TraceHeaders } from '../../../kernel/tracing/trace-headers.js';
import type { Placement } from '../../inventory/model-entry.js';
import type { LeavingReason } from '../request/request-lifecycle-listener.js';
import type { ObservedRequest, RoutedRequest, RoutedTrace } from '../request/routed-request.js';
import type { RequestEnd } from '../request/outcome.js';

const PROVIDER = 'ferry';
/** Less is the fault of the request. */
const SERVER_ERROR_STATUS = 500;

interface AttemptSpan {
  readonly placement: Placement;
  readonly span: Span;
}

/** The spans of a request on this relay: its own, and one for each node that was asked. Names, numbers and codes, nothing of the prompt. */
export class RequestSpans implements RoutedTrace {
  private attempt: AttemptSpan | null = null;
  private hedge: AttemptSpan | null = null;
  private attempts = 0;

  constructor(private readonly span: Span) {}

  headersFor(nodeId: NodeId): TraceHeaders {
    const asked = [this.attempt, this.hedge].find((attempt) => attempt?.placement.node.nodeId === nodeId);
    return (asked?.span ?? this.span).headers;
  }

  queued(position: number): void {
    this.span.event('ferry.queued', { 'ferry.queue.position': position });
  }

  sent({ routed, isHedge = false }: ObservedRequest, placement: Placement): void {
    this.attempts += 1;
    const span = this.span.child({ name: nameOf(routed), kind: 'client' });
    span.set({
      ...requestAttributes(routed),
      'gen_ai.response.model': placement.report.display_name,
      'ferry.node.id': placement.node.nodeId,
      'ferry.attempt': this.attempts,
      'ferry.hedge': isHedge,
    });
    if (isHedge) this.hedge = { placement, span };
    else this.attempt = { placement, span };
  }

  begun({ routed }: ObservedRequest): void {
    for (const span of [this.span, this.attempt?.span]) {
      span?.event('ferry.first_output');
      if (routed.stream) span?.set({ 'gen_ai.response.time_to_first_chunk': seconds(span.elapsedMs) });
    }
  }

  left({ isHedge = false }: ObservedRequest, reason: LeavingReason, detail: string): void {
    const left = isHedge ? this.hedge : this.attempt;
    if (isHedge) this.hedge = null;
    else this.attempt = null;
    if (left === null) return;
    if (reason === 'refused' || reason === 'lost') left.span.fail(detail);
    left.span.set({ 'ferry.outcome': reason });
    left.span.end();
  }

  /** The hedge is the attempt now. */
  followed(): void {
    this.attempt = this.hedge;
    this.hedge = null;
  }

  ended({ routed, timeline }: ObservedRequest, { outcome, error, usage }: RequestEnd): void {
    const { span, attempt } = this;
    const result: Attributes = { 'ferry.outcome': outcome, ...usageAttributes(usage) };
    span.set({
      ...requestAttributes(routed),
      ...result,
      'gen_ai.response.model': attempt?.placement.report.display_name,
      'ferry.account.id': routed.accountId,
      'ferry.attempts': this.attempts,
      'ferry.queue.duration': seconds(timeline.queuedMs),
    });
    attempt?.span.set(result);
    if (error !== null) {
      const failed = outcome === 'failed' || outcome === 'timed_out' || error.status >= SERVER_ERROR_STATUS;
      for (const each of [span, attempt?.span]) {
        if (failed) each?.fail(error.code);
        else each?.set({ 'error.type': error.code });
      }
    }
    attempt?.span.end();
    span.end(nameOf(routed));
  }
}

const nameOf = ({ query }: RoutedRequest): string => spanNameOf(operationOf(query.dialect), query.model);

const requestAttributes = ({ context, query, stream }: RoutedRequest): Attributes => ({
  ...genAiAttributes({ dialect: query.dialect, provider: PROVIDER, model: query.model, stream }),
  'ferry.request.id': context.requestId,
});
