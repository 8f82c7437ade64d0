import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { principalOf } from '../platform/access/request-principal.js';
import { appendRateHeaders } from './limit-headers.js';
import { ManagementRates, requireAllowed } from './management-rates.js';

/** The rates of the credential and of its account, in the headers of every response. Runs after the guard that authenticates. */
@Injectable()
export class RateGuard implements CanActivate {
  constructor(private readonly rates: ManagementRates) {}

  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const principal = principalOf(http.getRequest<IncomingMessage>());
    if (principal === undefined) return true;
    const states = [this.rates.credential.take(principal.credential.id), this.rates.account.take(principal.accountId)];
    appendRateHeaders(http.getResponse<ServerResponse>(), states);
    states.forEach(requireAllowed);
    return true;
  }
}
