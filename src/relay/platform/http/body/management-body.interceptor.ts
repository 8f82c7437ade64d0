import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Observable } from 'rxjs';
import { JsonBodyReader } from './json-body-reader.js';

/** No management call needs more; prompts do not come this way. */
const MANAGEMENT_BODY_LIMIT_BYTES = 1_048_576;

/** Reads the body of a management request for Nest's own `@Body()`, after the guards. A request without one gets an empty object. */
@Injectable()
export class ManagementBodyInterceptor implements NestInterceptor {
  constructor(private readonly reader: JsonBodyReader) {}

  async intercept(execution: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = execution.switchToHttp();
    const req = http.getRequest<Request>();
    req.body = hasBody(req)
      ? (await this.reader.read(req, http.getResponse<Response>(), MANAGEMENT_BODY_LIMIT_BYTES)).json
      : {};
    return next.handle();
  }
}

const hasBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
