import { Inject, Injectable } from '@nestjs/common';
import type { NodeId } from '../../kernel/ids.js';
import { clusterScope } from '../inventory/cluster-scope.js';
import { RELAY_CONFIG, type RelayConfig } from '../platform/config/relay-config.js';
import type { ResponseSource } from '../platform/http/response-source.js';
import { EventStream } from '../platform/http/event-stream.js';
import { contextOf } from '../platform/http/request-context.js';
import { JsonResponse } from '../platform/http/json-response.js';
import { RelayTraces } from '../platform/tracing/relay-traces.js';
import { RoutingService } from '../routing/routing.service.js';
import type { Continuation, RequestInputs } from '../../dialects/protocol.js';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import type { StreamFormat } from '../../dialects/stream-format.js';
import { beginTrace } from '../routing/tracing/begin-trace.js';
import type { InferenceCall } from './inference-call.js';
import type { IncomingHttpHeaders } from 'node:http';
import { forwardedHeaders, type OpenMessage } from '../../link/messages.js';

/** The bound of the link: a longer header would make the request unsendable. */
const LONGEST_HEADER_CHARACTERS = 2_000;

/** The client's headers that are forwarded to nodes, and no others (docs/reference/security.md#headers). */
export function headersForNode(headers: IncomingHttpHeaders): OpenMessage['headers'] {
  const forwarded: OpenMessage['headers'] = {};
  for (const name of forwardedHeaders) {
    const value = headers[name];
    if (typeof value === 'string' && value.length <= LONGEST_HEADER_CHARACTERS) forwarded[name] = value;
  }
  return forwarded;
}

/** Parts that only some dialects have. */
export interface ResponseOptions {
  /** Absent when the request begins a conversation. */
  readonly continuation?: Continuation | undefined;
  /** Creates the id of the response; absent for dialects without such ids. */
  readonly responseId?: (nodeId: NodeId) => string;
  /** How many texts the request has, where nodes may share them. */
  readonly inputs?: RequestInputs | undefined;
  /** Puts something between the node's response and the client. */
  readonly through?: (response: ResponseSource) => ResponseSource;
}

/** The steps from an envelope to a response that all dialects share. */
@Injectable()
export class InferenceResponder {
  constructor(
    private readonly routing: RoutingService,
    private readonly traces: RelayTraces,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {}

  /** A stream or one JSON body, as the envelope asks. Nothing runs until the HTTP adapter sends it. */
  respond(
    { request, caller, pin, body, understood: { envelope, requirements, profile } }: InferenceCall,
    format: StreamFormat,
    { continuation, responseId, inputs, through }: ResponseOptions = {},
  ): EventStream | JsonResponse {
    const { streamCommitMs, streamHeartbeatMs, slowClientTimeoutMs } = this.config.settings;
    const context = contextOf(request);
    const query = {
      pin,
      scope: clusterScope(pin, caller.clusterIds),
      model: envelope.model,
      dialect: envelope.dialect,
      requirements,
    };
    const routed = {
      context,
      accountId: caller.accountId,
      keyPublicId: caller.keyPublicId,
      limits: caller.limits,
      query: continuation === undefined ? query : { ...query, continuation },
      stream: envelope.stream,
      profile,
      headers: headersForNode(request.headers),
      trace: beginTrace(this.traces.tracer, request.headers, context.arrivedAtMs),
    };
    const response =
      inputs === undefined
        ? this.routing.accept(responseId === undefined ? routed : { ...routed, responseId }, body)
        : this.routing.acceptInputs(routed, body, this.checked(inputs));
    const source = through === undefined ? response : through(response);
    return envelope.stream
      ? new EventStream(source, format, {
          commitMs: streamCommitMs,
          heartbeatMs: streamHeartbeatMs,
          slowClientTimeoutMs,
        })
      : new JsonResponse(source, { slowClientTimeoutMs });
  }

  private checked({ count, field }: RequestInputs): number {
    const { embeddingsInputLimit: limit } = this.config.settings;
    if (count <= limit) return count;
    throw new FerryError('invalid_request', `\`${field}\` has ${count} elements; at most ${limit} are allowed.`, {
      param: field,
    });
  }
}
