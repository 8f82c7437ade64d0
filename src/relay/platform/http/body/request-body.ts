import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { contextOf } from '../request-context.js';
import type { ParsedBody } from './parsed-body.js';

export type { ParsedBody } from './parsed-body.js';

/** The body that `JsonBodyInterceptor` has read: `create(@RequestBody() body: ParsedBody)`. */
export const RequestBody = createParamDecorator((_data: unknown, context: ExecutionContext): ParsedBody => {
  const { body } = contextOf(context.switchToHttp().getRequest<Request>());
  if (body === undefined) throw new Error('this route needs @UseInterceptors(JsonBodyInterceptor)');
  return body;
});
