import { readCredentials, writeCredentials } from '../../core/api/credentials-file.js';
import { findConnection, findProfile, notSignedIn } from '../../core/api/find-connection.js';
import { profilePath } from '../../core/api/profiles.js';
import { isSameRelay } from '../../core/api/relay-address.js';
import type { Invocation } from '../../invocation.js';

/**
 * Finds out, before a key is made, whether the profile could keep it: a key that is made and then lost helps nobody.
 * @returns what keeps it
 * @throws CliError (not signed in) when the profile is not signed in to the relay that the command talks to
 */
export async function prepareToSave(invocation: Invocation): Promise<(key: string) => Promise<string>> {
  const { baseUrl } = await findConnection(invocation);
  const { value: profile } = await findProfile(invocation);
  const file = profilePath(invocation.env, profile);
  const stored = await readCredentials(file);
  if (stored === undefined || !isSameRelay(stored.base_url, baseUrl)) {
    throw notSignedIn(`profile ${profile} is not signed in to ${baseUrl}, so it cannot keep a key for it`, baseUrl);
  }
  return async (key) => {
    await writeCredentials(file, { ...stored, api_key: key });
    return profile;
  };
}
