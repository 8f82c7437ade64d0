import { printable } from '../../../kernel/printable.js';
import { formatBytes } from '../../core/output/quantities.js';
import { printData } from '../../core/output/print-data.js';
import type { Invocation } from '../../invocation.js';
import { describeHeldUp } from './held-up.js';
import { copyRows } from './row-progress.js';
import { describeCounts } from './row-counts.js';

interface BackupFlags {
  readonly withSecret?: true;
}

export async function backUpRelay(invocation: Invocation, file: string, flags: BackupFlags): Promise<void> {
  const { env, terminal } = invocation;
  const { backUp } = await import('../../../relay/backup/back-up.js');
  const withSecret = flags.withSecret === true;
  const copy = { label: 'Backing up', untouched: `${printable(file)} was not written, and the relay is as it was` };
  const made = await copyRows(terminal, copy, (watched) => backUp({ env, file, withSecret, ...watched }));
  const facts = {
    object: 'backup',
    file,
    bytes: made.bytes,
    created_at: made.createdAt,
    schema: made.schema,
    with_secret: withSecret,
    held_up_ms: made.heldUpMs ?? null,
    rows: made.counts,
  };
  await printData(invocation, facts, () => {
    terminal.print(`${file}: ${formatBytes(made.bytes)}, checked`);
    terminal.note(`  inside      ${describeCounts(made.counts)}`);
    if (made.heldUpMs !== undefined) terminal.note(describeHeldUp(made.heldUpMs));
    terminal.note(
      withSecret
        ? '              the secret of the relay: keep this file like a password'
        : '  not inside  the secret of the relay (FERRY_SECRET, or relay/secret in the data directory)',
    );
    terminal.note(
      `  ${withSecret ? 'not inside' : '          '}  identities and models of nodes; prompts and answers are stored nowhere`,
    );
  });
}
