import type { RestoreResult } from '../../../relay/backup/restore.js';
import { CliError } from '../../core/errors/cli-error.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import { confirm } from '../../core/output/confirm.js';
import { printData } from '../../core/output/print-data.js';
import type { Terminal } from '../../core/output/terminal.js';
import type { Invocation } from '../../invocation.js';
import { copyRows } from './row-progress.js';
import { describeCounts } from './row-counts.js';

interface RestoreFlags {
  readonly replace?: true;
  readonly yes?: true;
}

const secretNotes: Readonly<Record<RestoreResult['secret'], string | undefined>> = {
  restored: 'The secret of the relay was restored, too.',
  same: undefined,
  absent:
    'The backup has no secret. With another one than before, stored conversations cannot be continued and stored idempotent responses are lost.',
  different:
    'The backup has another secret than FERRY_SECRET: with this one, stored conversations cannot be continued and stored idempotent responses are lost.',
};

export async function restoreRelay(invocation: Invocation, file: string, flags: RestoreFlags): Promise<void> {
  const { env, terminal } = invocation;
  const replace = flags.replace === true;
  if (replace && flags.yes !== true) await confirmReplacement(terminal);
  const { restoreBackup } = await import('../../../relay/backup/restore.js');
  const copy = { label: 'Restoring', untouched: 'the database of the relay is as it was' };
  const restored = await copyRows(terminal, copy, (watched) => restoreBackup({ env, file, replace, ...watched }));
  const facts = {
    object: 'restore',
    file,
    created_at: restored.createdAt,
    secret: restored.secret,
    rows: restored.counts,
  };
  await printData(invocation, facts, () => {
    terminal.print(`Restored the backup of ${restored.createdAt}: ${describeCounts(restored.counts)}`);
    const note = secretNotes[restored.secret];
    if (note !== undefined) terminal.note(`  ${note}`);
    terminal.note('  Keys that were revoked after that moment work again: revoke them before clients return.');
  });
}

/** @throws CliError when the response is no */
export async function confirmReplacement(terminal: Terminal): Promise<void> {
  const question = 'This deletes everything that the database of the relay holds now. Continue?';
  if (await confirm(terminal, question)) return;
  throw new CliError('cancelled', exitCodes.failure, 'nothing was changed', {
    hint: 'ferry backup FILE first, where what it holds now may be needed',
  });
}
