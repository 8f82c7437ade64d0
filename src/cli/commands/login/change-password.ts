import { connect } from '../../core/api/connect.js';
import { knownConnection } from '../../core/api/find-connection.js';
import { promptForSecrets, readSecrets } from '../../core/args/read-secrets.js';
import { CliError } from '../../core/errors/cli-error.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import type { Invocation } from '../../invocation.js';
import { computerName, signInWith } from './log-in.js';
import { passwordToken, refusePlainHttp } from './password-login.js';

const SECRETS = ['current password', 'new password'] as const;

/** A changed password ends every sign-in of the user, so this computer signs in again with the new one. */
export async function changePassword(
  invocation: Invocation,
  { passwordStdin }: { readonly passwordStdin?: true },
): Promise<void> {
  const { baseUrl } = await knownConnection(invocation);
  if (baseUrl !== undefined) {
    refusePlainHttp(
      baseUrl.value,
      (local, tunnel) => `${tunnel}, and in another terminal ferry login ${local} --email EMAIL, then ferry passwd`,
    );
  }
  const api = await connect(invocation);
  const { user } = await api.get('/api/whoami');
  if (user === null) {
    throw new CliError(
      'no_user',
      exitCodes.failure,
      'this sign-in belongs to the account, not to a user with a password',
      { hint: 'as a person: ferry login --email YOU@EXAMPLE.COM; ferry users lists them' },
    );
  }
  const hint = 'ferry passwd --password-stdin, with the current and the new password on two lines';
  const [current = '', next = ''] = await (passwordStdin === true
    ? readSecrets(process.stdin, SECRETS, hint)
    : promptForSecrets(invocation.terminal, SECRETS, hint));
  await api.post('/api/password', { body: { current_password: current, new_password: next } });
  invocation.terminal.note('The password is changed; all other sign-ins have ended.');
  if (baseUrl === undefined) return;
  const token = await passwordToken(baseUrl.value, computerName(), { email: user.email, password: next });
  await signInWith(invocation, baseUrl.value, token);
}
