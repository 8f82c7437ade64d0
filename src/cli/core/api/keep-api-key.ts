import type { Invocation } from '../../invocation.js';
import { readCredentials, writeCredentials } from './credentials-file.js';
import { findConnection, findProfile, notSignedIn } from './find-connection.js';
import { profilePath } from './profiles.js';
import { isSameRelay } from './relay-address.js';

/**
 * Checks that the profile can store a key. Called before the key is created, because it is shown only once.
 * @returns a function that stores it
 * @throws CliError (not signed in) when the profile is not signed in to the relay that the command talks to
 */
export async function prepareToKeep(invocation: Invocation): Promise<(key: string) => Promise<string>> {
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
