import { readSecrets } from '../../core/args/read-secrets.js';
import { CliError } from '../../core/errors/cli-error.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import type { Invocation } from '../../invocation.js';
import { printData } from '../../core/output/print-data.js';
import { printable } from '../../../kernel/printable.js';
import { localMinute } from '../../core/output/time.js';

interface PasswordOptions {
  readonly passwordStdin?: true;
}

/** Works on the relay's own computer, whether or not the relay runs. A generated password is printed once, alone on stdout. */
export const resetUserPassword = (invocation: Invocation, email: string, options: PasswordOptions): Promise<void> =>
  setPassword(invocation, email, options, 'reset');

/** Like {@link resetUserPassword}, for the first user of a relay that was started with `ferry serve`. */
export const createOwner = (invocation: Invocation, email: string, options: PasswordOptions): Promise<void> =>
  setPassword(invocation, email, options, 'create-owner');

async function setPassword(
  invocation: Invocation,
  email: string,
  { passwordStdin }: PasswordOptions,
  purpose: 'reset' | 'create-owner',
): Promise<void> {
  const { env, terminal } = invocation;
  const command = purpose === 'reset' ? 'reset-password' : 'create-owner';
  if (purpose === 'create-owner' && !/^[^\s@]+@[^\s@]+$/.test(email.trim())) {
    throw new CliError('usage', exitCodes.usage, `${email} is not an e-mail address`, {
      hint: `ferry users create-owner ${email.replaceAll(/[\s@]/g, '')}@example.com`,
    });
  }
  const hint = `ferry users ${command} ${email} --password-stdin < password.txt`;
  const [password] = passwordStdin === true ? await readSecrets(process.stdin, ['password'], hint) : [];
  const { resetPassword } = await import('../../../relay/app/main.js');
  const { FerryError } = await import('../../../kernel/errors/ferry-error.js');
  const reset = await resetPassword({ env, purpose, email, ...(password === undefined ? {} : { password }) }).catch(
    (error: unknown) => {
      if (!(error instanceof FerryError)) throw error;
      const exitCode = error.code === 'not_found' ? exitCodes.notFound : exitCodes.failure;
      throw new CliError(error.code, exitCode, error.message, { hint: 'ferry users', cause: error });
    },
  );
  const until =
    reset.expiresAt === null
      ? ''
      : ` This password is good until ${localMinute(reset.expiresAt)}; change it with: ferry passwd`;
  const done = purpose === 'reset' ? 'has a new password, and is signed out everywhere' : 'is an owner now';
  terminal.note(`${printable(reset.email)} ${done}.${until}`);
  const response = {
    email: reset.email,
    temporary_password: reset.temporaryPassword ?? null,
    expires: reset.expiresAt,
  };
  await printData(invocation, response, () => {
    if (reset.temporaryPassword !== undefined) terminal.print(reset.temporaryPassword);
  });
}
