import { HttpException } from '@nestjs/common';
import type { Request } from 'express';
import type { ErrorCode } from '../../../../kernel/errors/error-catalogue.js';
import { FerryError } from '../../../../kernel/errors/ferry-error.js';
import { ClientDisconnectedError } from './client-disconnected-error.js';
import { routeNotFound } from './route-not-found.js';
import { toFerryError } from './to-ferry-error.js';

const codes: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid_request',
  401: 'invalid_credential',
  403: 'insufficient_scope',
  413: 'request_too_large',
  429: 'rate_limit_exceeded',
  503: 'overloaded',
};

/**
 * What a client is told about anything that was thrown; undefined when there is no client any more. Ferry's own code throws
 * FerryError; exceptions of the framework are its router's 404 and a malformed URL.
 */
export function fromException(exception: unknown, request: Request): FerryError | undefined {
  if (exception instanceof ClientDisconnectedError) return undefined;
  if (exception instanceof URIError) return new FerryError('invalid_request', 'The path is not a valid URL.');
  if (!(exception instanceof HttpException)) return toFerryError(exception);
  const status = exception.getStatus();
  if (status === 404) return routeNotFound(request.method, request.path);
  const code = codes[status];
  return code === undefined ? toFerryError(exception) : new FerryError(code, exception.message, { cause: exception });
}
