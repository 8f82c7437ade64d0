import { readSecrets } from '../../core/args/read-secrets.js';
import { CliError } from '../../core/errors/cli-error.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import type { Invocation } from '../../invocation.js';
import { printData } from '../../core/output/print-data.js';
import { printable } from '../../../kernel/printable.js';
import { localMinute } from '../../core/output/time.js';

/** Works on the relay's own computer, whether the relay runs or not. A generated password is printed once, alone on stdout. */
export async function resetUserPassword(
  invocation: Invocation,
  email: string,
  { passwordStdin }: { readonly passwordStdin?: true },
): Promise<void> {
  const { env, terminal } = invocation;
  const hint = `ferry users reset-password ${email} --password-stdin < password.txt`;
  const [password] = passwordStdin === true ? await readSecrets(process.stdin, ['password'], hint) : [];
  const { resetPassword } = await import('../../../relay/main.js');
  const { FerryError } = await import('../../../kernel/errors/ferry-error.js');
  const reset = await resetPassword({ env, email, ...(password === undefined ? {} : { password }) }).catch(
    (error: unknown) => {
      if (!(error instanceof FerryError)) throw error;
      const exitCode = error.code === 'not_found' ? exitCodes.notFound : exitCodes.failure;
      throw new CliError(error.code, exitCode, error.message, { cause: error });
    },
  );
  const until = reset.expiresAt === null ? '' : ` It is good until ${localMinute(reset.expiresAt)}.`;
  terminal.note(`${printable(reset.email)} has a new password, and is signed out everywhere.${until}`);
  const answer = {
    email: reset.email,
    temporary_password: reset.temporaryPassword ?? null,
    expires: reset.expiresAt,
  };
  await printData(invocation, answer, () => {
    if (reset.temporaryPassword !== undefined) terminal.print(reset.temporaryPassword);
  });
}
