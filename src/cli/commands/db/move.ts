import { shellWord } from '../../../kernel/shell-words.js';
import { printable } from '../../../kernel/printable.js';
import { printData } from '../../core/output/print-data.js';
import type { Invocation } from '../../invocation.js';
import { confirmReplacement } from '../backup/restore.js';
import { copyRows } from '../backup/row-progress.js';
import { describeCounts } from '../backup/row-counts.js';

interface MoveFlags {
  readonly replace?: true;
  readonly yes?: true;
}

export async function moveRelayDatabase(invocation: Invocation, flags: MoveFlags): Promise<void> {
  const { env, terminal } = invocation;
  if (flags.replace === true && flags.yes !== true) await confirmReplacement(terminal);
  const { moveDatabase } = await import('../../../relay/backup/move-database.js');
  const copy = { label: 'Moving', untouched: 'both databases are as they were' };
  const replace = flags.replace === true;
  const moved = await copyRows(terminal, copy, (watched) => moveDatabase({ env, replace, ...watched }));
  const { directory, counts } = moved;
  await printData(invocation, { object: 'database_move', data_dir: directory, rows: counts }, () => {
    terminal.print(`Moved: ${describeCounts(counts)}`);
    terminal.note(`  From now on start the relay with DATABASE_URL, and with the secret it had:`);
    terminal.note(`  FERRY_SECRET="$(cat ${shellWord(`${directory}/secret`)})"`);
    terminal.note(`  The old data is still in ${printable(directory)}/pgdata: delete it when all is well.`);
  });
}
