import {
  HttpException,
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { from, lastValueFrom, of, type Observable } from 'rxjs';
import { FerryError } from '../../../../kernel/errors/ferry-error.js';
import { isDatabaseUnavailable } from '../../http/errors/database-unavailable.js';
import { principalOf } from '../../access/request-principal.js';
import { headerValues } from '../../http/header-values.js';
import { rememberBegun, type BegunRequest } from './begun-requests.js';
import { IdempotentRequests, type ResponseText } from './idempotent-requests.js';

const HEADER = 'Idempotency-Key';
/** Visible ASCII, which headers carry unchanged. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * Lets a client repeat a POST whose answer it did not get. Runs after the body is read and before it is validated. Requests without a
 * principal (sign-in, sign-up, device codes) are passed on: there is no account that a key could belong to.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(private readonly requests: IdempotentRequests) {}

  async intercept(execution: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = execution.switchToHttp();
    const req = http.getRequest<Request>();
    const principal = principalOf(req);
    if (req.method !== 'POST' || principal === undefined) return next.handle();
    const key = idempotencyKey(req);
    if (key === undefined) return next.handle();
    const { accountId } = principal;
    const parameters = { method: req.method, url: req.originalUrl, body: req.body as unknown };
    const digests = this.requests.digests(principal, key, parameters);
    const decision = await this.requests.begin(accountId, digests);
    const res = http.getResponse<Response>();
    if (decision.kind === 'go') {
      rememberBegun(principal, decision.request);
      return from(this.carryOut(decision.request, res, next));
    }
    res.setHeader('idempotent-replayed', 'true');
    res.status(decision.status);
    return of(decision.response === undefined ? undefined : JSON.parse(decision.response));
  }

  private async carryOut(request: BegunRequest, res: Response, next: CallHandler): Promise<unknown> {
    let result: unknown;
    try {
      result = await lastValueFrom(next.handle(), { defaultValue: undefined });
    } catch (error) {
      if (isDatabaseUnavailable(error instanceof FerryError ? error.cause : error)) this.requests.interrupted(request);
      else if (changedNothing(error)) await this.requests.refused(request);
      throw error;
    }
    await this.requests.succeeded(request.accountId, request.digests, res.statusCode, repeatable(result, res));
    return result;
  }
}

/** Our own errors and those of the framework are thrown before a change or roll it back. After any other error the outcome is unknown. */
const changedNothing = (error: unknown): boolean =>
  (error instanceof FerryError && error.code !== 'internal_error') || error instanceof HttpException;

/** null: only JSON without cookies can be replayed. */
function repeatable(result: unknown, res: Response): ResponseText | null {
  if (res.hasHeader('set-cookie')) return null;
  if (result === undefined) return undefined;
  const plain = typeof result === 'object' && result !== null && Object.getPrototypeOf(result) === Object.prototype;
  return plain ? JSON.stringify(result) : null;
}

/** @throws FerryError `invalid_request` */
function idempotencyKey(req: Request): string | undefined {
  const [key, second] = headerValues(req, HEADER.toLowerCase());
  if (key === undefined) return undefined;
  if (second !== undefined || !KEY.test(key)) {
    throw new FerryError('invalid_request', `${HEADER} must be sent once, with 1 to 255 visible ASCII characters.`, {
      param: HEADER,
    });
  }
  return key;
}
