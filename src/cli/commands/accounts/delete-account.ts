import type { AccountToDelete } from '../../../relay/accounts/account-data/delete-account.js';
import { printable } from '../../../kernel/printable.js';
import { CliError } from '../../core/errors/cli-error.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import { confirmByTyping } from '../../core/output/confirm.js';
import { printData } from '../../core/output/print-data.js';
import type { Terminal } from '../../core/output/terminal.js';
import type { Invocation } from '../../invocation.js';
import { describeCounts } from '../backup/row-counts.js';
import { explainAccountFailure } from './account-failures.js';

interface DeleteFlags {
  readonly yes?: true;
}

export async function deleteRelayAccount(invocation: Invocation, account: string, flags: DeleteFlags): Promise<void> {
  const { env, terminal } = invocation;
  const { deleteAccount } = await import('../../../relay/accounts/account-data/delete-account.js');
  const confirm = async (found: AccountToDelete): Promise<void> => {
    if (flags.yes === true) requireId(found, account);
    const successorNote = describeSuccessor(found);
    if (successorNote !== undefined) terminal.note(successorNote);
    if (flags.yes !== true) await confirmDeletion(terminal, found);
  };
  const deleted = await deleteAccount({ env, account, confirm }).catch(explainAccountFailure);
  const facts = {
    object: 'deleted_account',
    account_id: deleted.account.id,
    name: deleted.account.name,
    first_account_id: deleted.firstAccountId,
    rows: deleted.counts,
  };
  await printData(invocation, facts, () => {
    const { name, id } = deleted.account;
    terminal.print(`Deleted ${printable(name)} (${id}): ${describeCounts(deleted.counts)}`);
    terminal.note('  Backups and logs of the relay may still have it: docs/operate/accounts.md');
  });
}

/** Anybody may give an account the name of another one. */
function requireId({ id }: AccountToDelete, given: string): void {
  if (given === id) return;
  throw new CliError('usage', exitCodes.usage, '--yes takes the id of the account, not its name', {
    hint: `ferry accounts delete ${id} --yes`,
  });
}

async function confirmDeletion(terminal: Terminal, { id, name, counts }: AccountToDelete): Promise<void> {
  terminal.note(`${printable(name)} (${id}): ${describeCounts(counts)}`);
  const question = `This deletes all of it. Type the name of the account, ${printable(name)}, to continue`;
  if (await confirmByTyping(terminal, question, printable(name), `ferry accounts delete ${id} --yes`)) return;
  throw new CliError('cancelled', exitCodes.failure, 'nothing was changed', {
    hint: `the same again; without a question: ferry accounts delete ${id} --yes`,
  });
}

/** Other accounts lose an owner of the relay when its first account goes. */
function describeSuccessor({ successor }: AccountToDelete): string | undefined {
  if (successor === undefined) return undefined;
  if (successor === null) {
    return 'It is the last account: ferry up, create-owner or the first sign-in creates a new, empty one.';
  }
  return (
    `It is the first account of the relay. That is ${printable(successor.name)} (${successor.id}) afterwards: new owners of\n` +
    'create-owner, new users of OpenID Connect and the credentials of FERRY_BOOTSTRAP_CREDENTIALS_FILE will be of it.'
  );
}
