import { Catch, ServiceUnavailableException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import { sendCompleteResponse } from '../platform/http/send-response.js';

/** Not ready is an answer, not an error: its body is the detail of every check. */
@Catch(ServiceUnavailableException)
export class HealthFilter implements ExceptionFilter<ServiceUnavailableException> {
  catch(exception: ServiceUnavailableException, host: ArgumentsHost): void {
    sendCompleteResponse(host.switchToHttp().getResponse<Response>(), {
      status: 503,
      headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
      body: JSON.stringify(exception.getResponse()),
    });
  }
}
