import type { IncomingMessage, ServerResponse } from 'node:http';
import { createParamDecorator, Injectable, type ExecutionContext, type PipeTransform } from '@nestjs/common';
import type { ClusterId } from '../../kernel/ids.js';
import { ClusterPinPipe } from '../auth/cluster-pin.js';
import { callerOf, type Caller } from '../auth/identities.js';
import { JsonBodyReader } from '../platform/http/body/json-body-reader.js';
import type { ParsedBody } from '../platform/http/body/parsed-body.js';

/** Who asks, where to, and what: an inference request before its dialect is understood. */
export interface InferenceCall {
  readonly request: IncomingMessage;
  readonly caller: Caller;
  /** null: it may go to any cluster that the key allows. */
  readonly pin: ClusterId | null;
  readonly body: ParsedBody;
}

interface UnreadExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Reads the body of an inference request. A pipe runs after every guard: nothing is read for a client that is not known (design §5.1).
 * One pipe for all that a dialect needs, and no interceptor: Nest makes promises for every parameter with a pipe, and a chain of
 * Observables for every interceptor; both are a tenth of what a small request costs.
 */
@Injectable()
export class InferenceCallPipe implements PipeTransform<UnreadExchange, Promise<InferenceCall>> {
  constructor(
    private readonly pins: ClusterPinPipe,
    private readonly bodies: JsonBodyReader,
  ) {}

  /** @throws FerryError with the status of what is wrong with the cluster or the body · ClientGoneError */
  async transform({ request, response }: UnreadExchange): Promise<InferenceCall> {
    const caller = callerOf(request);
    const named = this.pins.transform(request);
    const pin = named === null || typeof named === 'string' ? named : await named;
    return { request, caller, pin, body: await this.bodies.read(request, response) };
  }
}

const WholeExchange = createParamDecorator((_data: unknown, context: ExecutionContext): UnreadExchange => ({
  request: context.getArgByIndex<IncomingMessage>(0),
  response: context.getArgByIndex<ServerResponse>(1),
}));

/** `create(@Call() call: InferenceCall)`, on routes that are marked `@Inference()`. */
export const Call = (): ParameterDecorator => WholeExchange(InferenceCallPipe);
