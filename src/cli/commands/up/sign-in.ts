import { configDirectory } from '../../../kernel/data-directory.js';
import {
  credentialsPath,
  readCredentials,
  writeCredentials,
  type Credentials,
} from '../../core/api/credentials-file.js';
import { isSameRelay } from '../../core/api/relay-address.js';
import type { Environment } from '../../invocation.js';

/**
 * Signs the command line of this user in to the relay that `up` just started, so that a plain `ferry keys list` works.
 * A sign-in that a user made to another relay stays, and when `FERRY_DATA_DIR` names the data directory also that of another
 * `ferry up`.
 * @returns the message for the user when the sign-in was not changed, otherwise undefined
 */
export async function signIn(env: Environment, credentials: Credentials): Promise<string | undefined> {
  const file = credentialsPath(configDirectory(env));
  try {
    const present = await readCredentials(file).catch(() => undefined);
    if (present !== undefined && isAnothers(env, present, credentials)) {
      return `ferry stays signed in to ${present.base_url}; for this relay set FERRY_DATA_DIR or pass --data-dir`;
    }
    await writeCredentials(file, { ...credentials, written_by: 'up' });
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `not signed in (${reason}); for this relay set FERRY_DATA_DIR or pass --data-dir`;
  }
}

function isAnothers(env: Environment, present: Credentials, credentials: Credentials): boolean {
  if (present.written_by !== 'up') return !isSameRelay(present.base_url, credentials.base_url);
  const named = env['FERRY_DATA_DIR'] !== undefined && env['FERRY_DATA_DIR'] !== '';
  return named && present.account_id !== credentials.account_id;
}
