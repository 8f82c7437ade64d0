import { CliError } from '../errors/cli-error.js';
import { exitCodes } from '../errors/exit-codes.js';
import type { Invocation } from '../../invocation.js';
import { knownConnection } from './find-connection.js';

export interface InferenceAccess {
  /** Excludes `/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string;
}

/**
 * The API key for inference commands: `--key`, then FERRY_API_KEY, then the key stored in the profile for the relay.
 * Management credentials are not accepted for inference (docs/reference/public-api.md#authentication).
 * @throws CliError (not signed in) when there is no key, or no relay
 */
export async function findInferenceAccess(invocation: Invocation, key: string | undefined): Promise<InferenceAccess> {
  const { baseUrl, apiKey, token } = await knownConnection(invocation);
  if (baseUrl === undefined) {
    throw new CliError('not_signed_in', exitCodes.notSignedIn, 'not signed in to any relay', {
      hint: 'ferry login URL, ferry up (on this computer), or --base-url and --key',
    });
  }
  const found = key ?? apiKey?.value;
  if (found !== undefined && found !== '') return { baseUrl: baseUrl.value, apiKey: found };
  throw new CliError('no_api_key', exitCodes.notSignedIn, `there is no API key for ${baseUrl.value}`, {
    hint:
      token === undefined
        ? `ferry login ${baseUrl.value}, or set FERRY_API_KEY`
        : 'ferry keys create NAME --save, or set FERRY_API_KEY',
  });
}
