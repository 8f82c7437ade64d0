import { protocols } from '../../../dialects/protocols.js';
import type { AccountId, ApiKeyId, NodeId } from '../../../kernel/ids.js';
import type { KeyLimits } from '../../platform/access/caller.js';
import type { TraceHeaders } from '../../../kernel/tracing/trace-headers.js';
import type { OpenMessage } from '../../../link/messages.js';
import type { Placement } from '../../inventory/model-entry.js';
import type { RequestToken } from '../admission/request-token.js';
import type { RequestContext } from '../../platform/http/request-context.js';
import type { RequestProfile } from '../selection/costing.js';
import type { EligibilityQuery } from '../selection/eligibility.js';
import type { Attempt } from './attempt.js';
import type { RequestTimeline } from './request-timeline.js';

/** The trace that a request is part of. */
export interface RoutedTrace {
  /** Returns the trace headers for the node. */
  headersFor(nodeId: NodeId): TraceHeaders;
}

/** A parsed request. The body is passed separately so that it can be freed at the first event. */
export interface RoutedRequest {
  /** Filled in on the way, for the log line of the request. */
  readonly context: RequestContext;
  readonly accountId: AccountId;
  readonly keyPublicId: ApiKeyId;
  /** Limits of the key; absent: none. */
  readonly limits?: KeyLimits;
  readonly query: EligibilityQuery;
  readonly stream: boolean;
  /** Estimates its size and lists its conversation keys. Absent: unknown. */
  readonly profile?: RequestProfile;
  /** The client's headers that a node may see. */
  readonly headers: OpenMessage['headers'];
  /** The trace that it is part of. Absent: none. */
  readonly trace?: RoutedTrace | undefined;
  /** The request that this is a part of: they are explained together. Absent: it is whole. */
  readonly partOf?: ObservedRequest;
  /** Names the response so that a continuation finds the node that gave it; absent for dialects that have no such thing. */
  readonly responseId?: (nodeId: NodeId) => string;
}

export interface RoutedRequestBody {
  readonly raw: Buffer;
  /** Gives the bytes back to the memory budget. Idempotent. */
  release(): void;
}

/** Milliseconds, of one request (docs/reference/limits.md#bodies-and-timeouts). */
export interface InferenceLimits {
  readonly queueTimeoutMs: number;
  /** After the start of the relay: nodes are reconnecting. */
  readonly nodesReturnWaitMs: number;
  /** A node must have acknowledged by then. */
  readonly acceptTimeoutMs: number;
  readonly firstEventTimeoutMs: number;
  readonly wholeAnswerTimeoutMs: number;
  /** Silence of the node after its first event. */
  readonly eventIdleTimeoutMs: number;
  readonly streamMaxAgeMs: number;
  readonly maxRejectRepicks: number;
  /** Silence of a node after the predicted first event of a request that makes the node suspect. */
  readonly healthStallMs: number;
}

/**
 * The OPEN message of a request. `scope` separates the conversations of different accounts on the node.
 * @param leftMs of the whole response's time; a duration, so that no two clocks are compared.
 * @param firstOutputLeftMs of the time until its first output
 */
export const openHead = (
  routed: RoutedRequest,
  { node, report }: Placement,
  bodyBytes: number,
  leftMs: number,
  firstOutputLeftMs: number,
): OpenMessage => {
  const trace = routed.trace?.headersFor(node.nodeId);
  return {
    request_id: routed.context.requestId,
    dialect: routed.query.dialect,
    model_key: report.key,
    public_model: routed.query.model,
    stream: routed.stream,
    deadline_ms: leftMs,
    body_bytes: bodyBytes,
    scope: routed.accountId,
    response_id: routed.responseId?.(node.nodeId) ?? null,
    // The node writes its keep-alive events, because only the node can distinguish them from output.
    first_output_ms:
      routed.stream && protocols[routed.query.dialect].nodeKeepsAlive === true ? firstOutputLeftMs : undefined,
    headers: routed.headers,
    traceparent: trace?.traceparent ?? null,
    ...(trace?.tracestate !== undefined && { tracestate: trace.tracestate }),
  };
};

const NOTHING = Buffer.alloc(0);

/** All times are in milliseconds. */
interface RemainingTime {
  readonly leftMs: number;
  readonly firstEventLeftMs: number;
}

/** The body of a request until its response begins. Nothing is dispatched after that, so the memory is given back. */
export class RequestPrompt {
  constructor(
    private readonly routed: RoutedRequest,
    private body: RoutedRequestBody | null,
  ) {}

  get bytes(): number {
    return this.body?.raw.length ?? 0;
  }

  /** @throws LinkUnavailableError when the node's link takes nothing now */
  open(attempt: Attempt, { leftMs, firstEventLeftMs }: RemainingTime): void {
    const raw = this.body?.raw ?? NOTHING;
    const head = openHead(this.routed, attempt.placement, raw.length, Math.ceil(leftMs), Math.ceil(firstEventLeftMs));
    attempt.open(head, raw);
  }

  /** Idempotent. */
  release(): void {
    this.body?.release();
    this.body = null;
  }
}

/** A request, as seen by its listeners. */
export interface ObservedRequest {
  /** Tables refer to the request by this key. */
  readonly token: RequestToken;
  readonly routed: RoutedRequest;
  readonly timeline: Pick<RequestTimeline, 'queuedMs'>;
  /** This is the hedge of a request. */
  readonly isHedge?: boolean;
  /**
   * What the listener keeps of a request and its hedges, and nobody else reads. Here, because a table that thousands of requests a second
   * pass through costs several times as much.
   */
  listenerState?: object | undefined;
}
