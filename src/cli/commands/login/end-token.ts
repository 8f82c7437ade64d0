import type { Credentials } from '../../core/api/credentials-file.js';
import { ManagementApi } from '../../core/api/management-api.js';

/**
 * Ends the token on the relay, so that a copy of it is worth nothing. False when it lives on: the relay was not there, or knows it no more.
 * The token of `ferry up` lives on by intention, because the data directory of that relay goes on using it.
 */
export async function endToken({ base_url, cli_token, written_by }: Credentials): Promise<boolean> {
  if (written_by === 'up') return false;
  try {
    await new ManagementApi({ baseUrl: base_url, token: cli_token }).post('/api/sign-out', {});
    return true;
  } catch {
    return false;
  }
}
