import type { Command } from 'commander';
import { parseCount } from '../../core/args/parse-count.js';
import { parseSince } from '../../core/args/parse-time.js';
import { invocationOf, type Cli } from '../../invocation.js';
import type { AuditOptions } from './show-audit.js';

/** `ferry audit`: the audit trail of the account. */
export function registerAudit(program: Command, cli: Cli): void {
  program
    .command('audit')
    .option('--since <time>', 'start: 7d, 12h, or a date', parseSince)
    .option('--until <time>', 'end: 7d, 12h, or a date', parseSince)
    .option('--action <action>', 'only this action (key.create) or this kind (key)')
    .option('--actor <id>', 'only actions of this user or credential (id)')
    .option('--object <id>', 'only actions on this object (id) or kind of object')
    .option('--limit <count>', 'at most this many, the newest (default: 100)', parseCount)
    .option('--csv', 'print all matching entries as CSV')
    .description('show the audit trail, newest first')
    .action(async (options: AuditOptions, command: Command) => {
      const { showAudit } = await import('./show-audit.js');
      await showAudit(invocationOf(cli, command), options);
    });
}
