import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { JsonBodyPipe, type UnreadExchange } from './json-body.pipe.js';

export type { ParsedBody } from './parsed-body.js';

const WholeExchange = createParamDecorator((_data: unknown, context: ExecutionContext): UnreadExchange => {
  const http = context.switchToHttp();
  return { request: http.getRequest<IncomingMessage>(), response: http.getResponse<ServerResponse>() };
});

/** The body of an inference request, read, checked and parsed once: `create(@RequestBody() body: ParsedBody)`. */
export const RequestBody = (): ParameterDecorator => WholeExchange(JsonBodyPipe);
