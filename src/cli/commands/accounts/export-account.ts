import { printable } from '../../../kernel/printable.js';
import { printData } from '../../core/output/print-data.js';
import { formatBytes } from '../../core/output/quantities.js';
import { untilInterrupted } from '../../core/supervision/stop-signals.js';
import type { Invocation } from '../../invocation.js';
import { describeHeldUp } from '../backup/held-up.js';
import { describeCounts } from '../backup/row-counts.js';
import { explainAccountFailure } from './account-failures.js';

export async function exportRelayAccount(invocation: Invocation, account: string, file: string): Promise<void> {
  const { env, terminal } = invocation;
  const { exportAccount } = await import('../../../relay/accounts/account-data/export-account.js');
  const made = await untilInterrupted((signal) =>
    exportAccount({ env, account, file, signal }).catch(explainAccountFailure),
  );
  const facts = {
    object: 'account_export',
    account_id: made.account.id,
    name: made.account.name,
    file,
    bytes: made.bytes,
    created_at: made.createdAt,
    held_up_ms: made.heldUpMs ?? null,
    rows: made.counts,
  };
  await printData(invocation, facts, () => {
    terminal.print(`${file}: ${formatBytes(made.bytes)}, checked`);
    terminal.note(`  account     ${printable(made.account.name)} (${made.account.id})`);
    terminal.note(`  inside      ${describeCounts(made.counts)}`);
    if (made.heldUpMs !== undefined) terminal.note(describeHeldUp(made.heldUpMs));
    terminal.note('  not inside  digests of keys, tokens and passwords; prompts and answers are stored nowhere');
  });
}
