/** The client side of the device authorization grant (RFC 8628). */
import type { Clock } from '../../../kernel/clock.js';
import type { ManagementApi } from '../../core/api/management-api.js';
import { CliError } from '../../core/errors/cli-error.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import type { Schemas } from '../../core/api/management-api.types.js';

/** RFC 8628 §3.5: `slow_down` increases the interval by this much. */
const SLOW_DOWN_SECONDS = 5;
/** Limits of the polling interval that a relay may request. */
const INTERVAL_SECONDS = { least: 1, most: 60 } as const;

export interface Waiting {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** Rejects when the user cancels. */
  readonly delay: (milliseconds: number) => Promise<unknown>;
}

/**
 * Polls at the relay's interval until the code is approved or denied. A relay that is briefly unreachable is polled again.
 * @throws CliError (not signed in) when the code was refused or has expired
 */
export async function awaitApproval(
  api: ManagementApi,
  code: Pick<Schemas['StartedDeviceLogin'], 'device_code' | 'expires_in' | 'interval'>,
  waiting: Waiting,
): Promise<Schemas['DeviceLoginToken']> {
  let intervalSeconds = clamp(code.interval);
  const endsAtMs = waiting.clock.monotonicMs() + code.expires_in * 1_000;
  while (waiting.clock.monotonicMs() < endsAtMs) {
    await waiting.delay(intervalSeconds * 1_000);
    try {
      return await api.post('/api/device-login/token', { body: { device_code: code.device_code } });
    } catch (error) {
      switch (error instanceof CliError ? error.code : undefined) {
        case 'authorization_pending':
        case 'relay_unreachable':
          break;
        case 'slow_down':
          intervalSeconds = clamp(intervalSeconds + SLOW_DOWN_SECONDS);
          break;
        case 'expired_token':
          throw expired(error);
        case 'access_denied':
          throw new CliError('access_denied', exitCodes.notSignedIn, 'the sign-in was refused', {
            hint: 'ferry login shows a new code',
            cause: error,
          });
        default:
          throw error;
      }
    }
  }
  throw expired();
}

const clamp = (seconds: number): number => Math.min(INTERVAL_SECONDS.most, Math.max(INTERVAL_SECONDS.least, seconds));

const expired = (cause?: unknown): CliError =>
  new CliError('expired_token', exitCodes.notSignedIn, 'nobody approved the code in time', {
    hint: 'ferry login shows a new one',
    cause,
  });
