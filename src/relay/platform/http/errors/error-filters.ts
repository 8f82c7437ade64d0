/** One exception filter per family of error bodies, bound to controllers with `@UseFilters`. The inference routes have none: Nest does not serve them. */
import { Catch, type ArgumentsHost, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { Request, Response } from 'express';
import { sendCompleteResponse } from '../send-response.js';
import { requestIdOf } from '../request-id.js';
import { serializeManagementError } from './management-error.js';
import { serializeOpenAiError } from './openai-error.js';
import { serializerFor, type ErrorSerializer } from './error-family.js';
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
 * The error for the client of anything that was thrown; undefined when the client has disconnected. Ferry's own code throws
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

abstract class ErrorFilter implements ExceptionFilter {
  protected abstract serializerFor(req: Request): ErrorSerializer;

  catch(exception: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const req = http.getRequest<Request>();
    const res = http.getResponse<Response>();
    const error = fromException(exception, req);
    // The client has disconnected.
    if (error === undefined) return;
    sendCompleteResponse(res, this.serializerFor(req)(error, requestIdOf(res)));
  }
}

/** The inventory, the documents. */
@Catch()
export class OpenAiErrorFilter extends ErrorFilter {
  protected override serializerFor(): ErrorSerializer {
    return serializeOpenAiError;
  }
}

/** `/api`, the link's own HTTP routes, probes. */
@Catch()
export class ManagementErrorFilter extends ErrorFilter {
  protected override serializerFor(): ErrorSerializer {
    return serializeManagementError;
  }
}

/** Errors that no controller's filter caught: unknown routes, and failures outside of any route. The path determines the family. */
@Catch()
export class FallbackErrorFilter extends ErrorFilter {
  protected override serializerFor(req: Request): ErrorSerializer {
    // `url` lacks the part of the path that a middleware is bound to.
    return serializerFor(req.originalUrl);
  }
}
