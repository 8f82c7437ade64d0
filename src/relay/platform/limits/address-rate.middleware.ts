import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { addressBlock, ClientOrigins } from '../http/client-origin.js';
import { UNSENT } from '../http/send-response.js';
import { appendRateHeaders } from './limit-headers.js';
import { ManagementRates, requireAllowed } from './management-rates.js';

const UNAUTHORIZED = 401;

/**
 * Runs before any credential is verified: verification costs a database query, and failed guesses count against their address
 * (docs/reference/limits.md#rate-limits).
 */
@Injectable()
export class AddressRateMiddleware implements NestMiddleware {
  constructor(
    private readonly rates: ManagementRates,
    private readonly origins: ClientOrigins,
  ) {}

  use(req: Request, res: Response, next: NextFunction): void {
    const address = addressBlock(this.origins.of(req).ip);
    for (const state of [this.rates.failures.peek(address), this.rates.address.take(address)]) {
      if (!state.allowed) appendRateHeaders(res, [state]);
      requireAllowed(state);
    }
    const count = (): void => {
      if (res.statusCode === UNAUTHORIZED) this.rates.failures.take(address);
    };
    // Not at `finish`: who leaves without waiting for the response has guessed, too.
    res.once('close', count);
    res.once(UNSENT, count);
    next();
  }
}
