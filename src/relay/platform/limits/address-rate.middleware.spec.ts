import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import type { Request, Response } from 'express';
import type { RelayConfig } from '../config/relay-config.js';
import type { ClientOrigins } from '../http/client-origin.js';
import { UNSENT } from '../http/send-response.js';
import { AddressRateMiddleware } from './address-rate.middleware.js';
import { ManagementRates } from './management-rates.js';

const ADDRESS = '192.0.2.1';
const settings = {
  managementPerCredentialPerMinute: 600,
  managementPerAccountPerMinute: 600,
  managementPerAddressPerMinute: 600,
  managementFailedPerAddressPerMinute: 6,
};

/** How many guesses of this kind the address has before it has to wait. */
function guessesUntilRefused(end: (response: EventEmitter & { statusCode: number }) => void): number {
  const rates = new ManagementRates({ settings } as RelayConfig);
  const origins = { of: () => ({ ip: ADDRESS, userAgent: null }) } as unknown as ClientOrigins;
  const middleware = new AddressRateMiddleware(rates, origins);
  for (let guesses = 0; guesses < 50; guesses += 1) {
    if (!rates.failures.peek(ADDRESS).allowed) return guesses;
    const response = Object.assign(new EventEmitter(), { statusCode: 200 });
    middleware.use({} as Request, response as unknown as Response, () => undefined);
    end(response);
  }
  return Infinity;
}

describe('a request without a valid credential counts once against its address', () => {
  const responded = guessesUntilRefused((response) => {
    response.statusCode = 401;
    response.emit('finish');
    response.emit('close');
  });

  it('where its client got the answer', () => {
    expect(responded).toBeLessThan(10);
  });

  it('where its client left before the credential was looked at', () => {
    const left = guessesUntilRefused((response) => {
      response.emit('close');
      response.statusCode = 401;
      response.emit(UNSENT);
    });
    expect(left).toBe(responded);
  });

  it('where its client left while the answer was sent', () => {
    const left = guessesUntilRefused((response) => {
      response.statusCode = 401;
      response.emit('close');
    });
    expect(left).toBe(responded);
  });
});

it('a request that was admitted does not count', () => {
  expect(guessesUntilRefused((response) => response.emit('close'))).toBe(Infinity);
});
