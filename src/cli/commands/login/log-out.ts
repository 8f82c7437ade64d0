import { readCredentials, type Credentials } from '../../core/api/credentials-file.js';
import { findProfile } from '../../core/api/find-connection.js';
import { CliError } from '../../core/errors/cli-error.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import { profilePath, removeProfile } from '../../core/api/profiles.js';
import type { Invocation } from '../../invocation.js';
import { printData, silently } from '../../core/output/print-data.js';
import { ManagementApi } from '../../core/api/management-api.js';

/** Removes the profile only, not credentials from a flag, a variable or a data directory. */
export async function logOut(invocation: Invocation): Promise<void> {
  const { env, terminal } = invocation;
  const { value: profile } = await findProfile(invocation);
  // An unreadable file is removed as well.
  const stored = await readCredentials(profilePath(env, profile)).catch(() => undefined);
  const ended = stored !== undefined && (await endToken(stored));
  if (!(await removeProfile(env, profile))) throw noSignIn(profile);
  terminal.note(`Signed out (profile ${profile}).${ended ? '' : ' Its token was not ended on the relay.'}`);
  await printData(invocation, { profile, token_ended: ended }, silently);
}

/**
 * Revokes the token on the relay, so that copies become invalid. False when it was not revoked: the relay was unreachable, or does not know
 * it. The token of `ferry up` is kept on purpose, because the data directory of that relay uses it.
 */
async function endToken({ base_url, cli_token, written_by }: Credentials): Promise<boolean> {
  if (written_by === 'up') return false;
  try {
    await new ManagementApi({ baseUrl: base_url, token: cli_token }).post('/api/sign-out');
    return true;
  } catch {
    return false;
  }
}

const noSignIn = (profile: string): CliError =>
  new CliError('not_signed_in', exitCodes.notSignedIn, `profile ${profile} is not signed in`, {
    hint: 'ferry profiles lists the sign-ins of this computer',
  });
