import type { IncomingMessage, ServerResponse } from 'node:http';
import { createParamDecorator, Injectable, type ExecutionContext, type PipeTransform } from '@nestjs/common';
import type { Dialect } from '../../kernel/dialect.js';
import type { ClusterId } from '../../kernel/ids.js';
import { whenReady } from '../../kernel/when-ready.js';
import { ClusterPinPipe } from '../auth/cluster-pin.js';
import { callerOf, type Caller } from '../platform/access/request-principal.js';
import { JsonBodyReader } from '../platform/http/body/json-body-reader.js';
import type { JsonReading } from '../platform/http/body/json-parser.js';
import type { RawBody } from '../platform/http/body/parsed-body.js';
import { OverloadGuard } from '../platform/lifecycle/overload-guard.js';
import { understand, type UnderstoodRequest } from './understood-request.js';

/** An inference request with its caller, cluster pin and body. */
export interface InferenceCall {
  readonly request: IncomingMessage;
  readonly caller: Caller;
  /** null: any cluster that the key allows. */
  readonly pin: ClusterId | null;
  readonly body: RawBody;
  readonly understood: UnderstoodRequest;
}

interface UnreadExchange {
  readonly dialect: Dialect;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Reads the body of an inference request. It runs after the guard: nothing is read for an unauthenticated client
 * (docs/reference/request-lifecycle.md#phases). Other routes than those of
 * inference use it as a pipe of Nest.
 */
@Injectable()
export class InferenceCallPipe implements PipeTransform<UnreadExchange, InferenceCall | Promise<InferenceCall>> {
  constructor(
    private readonly pins: ClusterPinPipe,
    private readonly bodies: JsonBodyReader,
    private readonly overload: OverloadGuard,
  ) {}

  /**
   * @returns no promise for a small body that has arrived with its head, as nearly all do
   * @throws FerryError `overloaded`, or with the status of what is wrong with the cluster or the body · ClientDisconnectedError
   */
  transform(exchange: UnreadExchange): InferenceCall | Promise<InferenceCall> {
    this.overload.admit();
    return whenReady(this.pins.transform(exchange.request), (pin) => this.read(exchange, pin));
  }

  private read(
    { dialect, request, response }: UnreadExchange,
    pin: ClusterId | null,
  ): InferenceCall | Promise<InferenceCall> {
    const caller = callerOf(request);
    const body = this.bodies.understand(request, response, (bodyBytes): JsonReading<UnderstoodRequest> => {
      const parameters = { dialect, headers: request.headers, bodyBytes };
      return { module: READER, parameters, here: (json) => understand(json, parameters) };
    });
    return whenReady(body, (read) => ({ request, caller, pin, body: read, understood: read.understood }));
  }
}

/** A worker can load only the build, not TypeScript, from which tests run. */
const READER = import.meta.url.endsWith('.js') ? new URL('./understood-request.js', import.meta.url).href : undefined;

const WholeExchange = createParamDecorator((dialect: Dialect, context: ExecutionContext): UnreadExchange => ({
  dialect,
  request: context.getArgByIndex<IncomingMessage>(0),
  response: context.getArgByIndex<ServerResponse>(1),
}));

/** `create(@Call('chat') call: InferenceCall)`, on a route of Nest whose guard has established a caller. */
export const Call = (dialect: Dialect): ParameterDecorator => WholeExchange(dialect, InferenceCallPipe);
