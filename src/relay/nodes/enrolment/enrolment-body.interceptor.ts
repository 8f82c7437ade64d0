import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Observable } from 'rxjs';
import { JsonBodyReader } from '../../platform/http/body/json-body-reader.js';

/** Anybody may send one, so no more is read than an enrolment can need. */
const ENROLMENT_BODY_LIMIT_BYTES = 16_384;

@Injectable()
export class EnrolmentBodyInterceptor implements NestInterceptor {
  constructor(private readonly reader: JsonBodyReader) {}

  async intercept(execution: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = execution.switchToHttp();
    const req = http.getRequest<Request>();
    req.body = (await this.reader.read(req, http.getResponse<Response>(), ENROLMENT_BODY_LIMIT_BYTES)).json;
    return next.handle();
  }
}
