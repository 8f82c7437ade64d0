import { Injectable } from '@nestjs/common';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { FixedWindow } from './fixed-window.js';
import { addressBlock } from '../http/client-origin.js';

const MINUTE_SECONDS = 60;

/** Checked before anything else on public routes that cost work, to keep floods away from the database. */
@Injectable()
export class AddressLimits {
  private readonly windows = {
    'sign-in': new FixedWindow({ limit: 30, windowSeconds: MINUTE_SECONDS }),
    'sign-up': new FixedWindow({ limit: 10, windowSeconds: 60 * MINUTE_SECONDS }),
    'invite-preview': new FixedWindow({ limit: 30, windowSeconds: MINUTE_SECONDS }),
    'device-login': new FixedWindow({ limit: 10, windowSeconds: MINUTE_SECONDS }),
    'device-approval': new FixedWindow({ limit: 10, windowSeconds: MINUTE_SECONDS }),
  };

  /** @throws FerryError `rate_limit_exceeded` */
  count(route: keyof AddressLimits['windows'], address: string): void {
    const waitSeconds = this.windows[route].take(addressBlock(address));
    if (waitSeconds !== undefined) throw tooManyTries(waitSeconds);
  }
}

export const tooManyTries = (retryAfterSeconds: number): FerryError =>
  new FerryError('rate_limit_exceeded', 'Too many attempts. Wait before the next one.', { retryAfterSeconds });
