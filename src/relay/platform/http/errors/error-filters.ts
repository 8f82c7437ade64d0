/** One exception filter per family of error bodies, bound to controllers with `@UseFilters`. */
import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { FerryError } from '../../../../kernel/errors/ferry-error.js';
import { sendWhole } from '../send-whole.js';
import { requestIdOf } from '../request-id.js';
import { serializeAnthropicError } from './anthropic-error.js';
import { serializeManagementError } from './management-error.js';
import { serializeOpenAiError } from './openai-error.js';
import { fromException } from './from-exception.js';
import type { SerializedError } from './serialized-error.js';

abstract class ErrorFilter implements ExceptionFilter {
  protected abstract serialize(error: FerryError, requestId: string): SerializedError;

  catch(exception: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const res = http.getResponse<Response>();
    const error = fromException(exception, http.getRequest<Request>());
    // Nobody is there to read it.
    if (error === undefined) return;
    sendWhole(res, this.serialize(error, requestIdOf(res)));
  }
}

/** Models, chat, completions, responses. */
@Catch()
export class OpenAiErrorFilter extends ErrorFilter {
  protected override serialize = serializeOpenAiError;
}

/** Messages. */
@Catch()
export class AnthropicErrorFilter extends ErrorFilter {
  protected override serialize = serializeAnthropicError;
}

/** `/api`, the link's own HTTP routes, probes. */
@Catch()
export class ManagementErrorFilter extends ErrorFilter {
  protected override serialize = serializeManagementError;
}

/** What no controller's filter caught: unknown routes, and failures outside of any route. The path decides the family. */
@Catch()
export class FallbackErrorFilter implements ExceptionFilter {
  private readonly openAi = new OpenAiErrorFilter();
  private readonly anthropic = new AnthropicErrorFilter();
  private readonly management = new ManagementErrorFilter();

  catch(exception: unknown, host: ArgumentsHost): void {
    const { path } = host.switchToHttp().getRequest<Request>();
    this.familyOf(path).catch(exception, host);
  }

  private familyOf(path: string): ErrorFilter {
    if (path === '/v1/messages' || path.startsWith('/v1/messages/')) return this.anthropic;
    return path === '/api' || path.startsWith('/api/') ? this.management : this.openAi;
  }
}
