import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Observable } from 'rxjs';
import { contextOf } from '../request-context.js';
import { JsonBodyReader } from './json-body-reader.js';

/** Reads the body of an inference request. An interceptor runs after every guard: nothing is read for a client that is not known (design §5.1). */
@Injectable()
export class JsonBodyInterceptor implements NestInterceptor {
  constructor(private readonly reader: JsonBodyReader) {}

  async intercept(execution: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = execution.switchToHttp();
    const req = http.getRequest<Request>();
    contextOf(req).body = await this.reader.read(req, http.getResponse<Response>());
    return next.handle();
  }
}
