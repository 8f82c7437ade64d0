import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { systemClock } from '../../../kernel/clock.js';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { RELAY_CONFIG, type RelayConfig } from '../config/relay-config.js';
import { KeyedRate, type RateState } from './keyed-rate.js';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { principalOf } from '../access/request-principal.js';
import { appendRateHeaders } from './limit-headers.js';

/** Per rate. */
const MAX_KEYS = 50_000;

/** The rates of `/api`, shared by all its controllers. In memory: each replica counts its own requests. */
@Injectable()
export class ManagementRates {
  readonly credential: KeyedRate;
  readonly account: KeyedRate;
  readonly address: KeyedRate;
  /** Only requests that were answered with 401 count here. */
  readonly failures: KeyedRate;

  constructor(@Inject(RELAY_CONFIG) { settings }: RelayConfig) {
    const rate = (name: string, perMinute: number) => new KeyedRate({ name, perMinute }, MAX_KEYS, systemClock);
    this.credential = rate('credential', settings.managementPerCredentialPerMinute);
    this.account = rate('account', settings.managementPerAccountPerMinute);
    this.address = rate('address', settings.managementPerAddressPerMinute);
    this.failures = rate('failures', settings.managementFailedPerAddressPerMinute);
  }
}

const reasons: Readonly<Record<string, string>> = {
  credential: 'This credential sends too many requests.',
  account: 'This account sends too many requests.',
  address: 'Too many requests come from this address.',
  failures: 'Too many requests from this address had no valid credential.',
};

/** @throws FerryError `rate_limit_exceeded` */
export function requireAllowed({ allowed, policy, waitMs }: RateState): void {
  if (allowed) return;
  throw new FerryError('rate_limit_exceeded', reasons[policy.name], {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
  });
}

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
