import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { addressBlock, ClientOrigins } from '../../platform/http/client-origin.js';
import { ManagementRates, requireAllowed } from './management-rates.js';
import { tellRates } from './rate-headers.js';

const UNAUTHORIZED = 401;

/**
 * Before any credential is looked at: looking costs the database, and guessing must cost the guesser
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
    for (const state of [this.rates.failures.look(address), this.rates.address.take(address)]) {
      if (!state.allowed) tellRates(res, [state]);
      requireAllowed(state);
    }
    res.once('finish', () => {
      if (res.statusCode === UNAUTHORIZED) this.rates.failures.take(address);
    });
    next();
  }
}
