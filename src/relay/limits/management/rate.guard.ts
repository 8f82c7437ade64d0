import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { principalOf } from '../../platform/access/request-principal.js';
import { ManagementRates, requireAllowed } from './management-rates.js';
import { tellRates } from './rate-headers.js';

/** After the guard that found out who it is: the rates of the credential and of its account. Both are told on every answer. */
@Injectable()
export class RateGuard implements CanActivate {
  constructor(private readonly rates: ManagementRates) {}

  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const principal = principalOf(http.getRequest<IncomingMessage>());
    if (principal === undefined) return true;
    const states = [this.rates.credential.take(principal.credential.id), this.rates.account.take(principal.accountId)];
    tellRates(http.getResponse<ServerResponse>(), states);
    states.forEach(requireAllowed);
    return true;
  }
}
