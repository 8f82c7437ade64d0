/** One exception filter per family of error bodies, bound to controllers with `@UseFilters`. */
import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { sendCompleteResponse } from '../send-response.js';
import { requestIdOf } from '../request-id.js';
import { serializeAnthropicError } from './anthropic-error.js';
import { serializeManagementError } from './management-error.js';
import { serializeOpenAiError } from './openai-error.js';
import { serializeOpenResponsesError } from './openresponses-error.js';
import { fromException } from './from-exception.js';
import { serializerFor, type ErrorSerializer } from './error-family.js';

abstract class ErrorFilter implements ExceptionFilter {
  protected abstract serializerFor(req: Request): ErrorSerializer;

  catch(exception: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const req = http.getRequest<Request>();
    const res = http.getResponse<Response>();
    const error = fromException(exception, req);
    // Nobody is there to read it.
    if (error === undefined) return;
    sendCompleteResponse(res, this.serializerFor(req)(error, requestIdOf(res)));
  }
}

/** Models, chat, completions. */
@Catch()
export class OpenAiErrorFilter extends ErrorFilter {
  protected override serializerFor(): ErrorSerializer {
    return serializeOpenAiError;
  }
}

/** Responses. */
@Catch()
export class OpenResponsesErrorFilter extends ErrorFilter {
  protected override serializerFor(): ErrorSerializer {
    return serializeOpenResponsesError;
  }
}

/** Messages. */
@Catch()
export class AnthropicErrorFilter extends ErrorFilter {
  protected override serializerFor(): ErrorSerializer {
    return serializeAnthropicError;
  }
}

/** `/api`, the link's own HTTP routes, probes. */
@Catch()
export class ManagementErrorFilter extends ErrorFilter {
  protected override serializerFor(): ErrorSerializer {
    return serializeManagementError;
  }
}

/** What no controller's filter caught: unknown routes, and failures outside of any route. The path decides the family. */
@Catch()
export class FallbackErrorFilter extends ErrorFilter {
  protected override serializerFor(req: Request): ErrorSerializer {
    // Middleware that is bound to a path sees the rest of it only.
    return serializerFor(req.originalUrl);
  }
}
