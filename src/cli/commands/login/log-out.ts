import { readCredentials, type Credentials } from '../../core/api/credentials-file.js';
import { findProfile, notSignedIn } from '../../core/api/find-connection.js';
import { profilePath, removeProfile } from '../../core/api/profiles.js';
import type { Invocation } from '../../invocation.js';
import { printData, silently } from '../../core/output/print-data.js';
import { ManagementApi } from '../../core/api/management-api.js';

/** Only of the profile: what a flag, a variable or a data directory says is not this command's to forget. */
export async function logOut(invocation: Invocation): Promise<void> {
  const { env, terminal } = invocation;
  const { value: profile } = await findProfile(invocation);
  // A file that cannot be read is forgotten all the same.
  const stored = await readCredentials(profilePath(env, profile)).catch(() => undefined);
  const ended = stored !== undefined && (await endToken(stored));
  if (!(await removeProfile(env, profile))) throw notSignedIn(`profile ${profile} is not signed in`);
  terminal.note(`Signed out (profile ${profile}).${ended ? '' : ' Its token was not ended on the relay.'}`);
  await printData(invocation, { profile, token_ended: ended }, silently);
}

/**
 * Ends the token on the relay, so that a copy of it is worth nothing. False when it lives on: the relay was not there, or knows it no more.
 * The token of `ferry up` lives on by intention, because the data directory of that relay goes on using it.
 */
async function endToken({ base_url, cli_token, written_by }: Credentials): Promise<boolean> {
  if (written_by === 'up') return false;
  try {
    await new ManagementApi({ baseUrl: base_url, token: cli_token }).post('/api/sign-out', {});
    return true;
  } catch {
    return false;
  }
}
