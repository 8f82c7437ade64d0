import type { Command } from 'commander';
import { parseCount } from '../../core/args/parse-count.js';
import { parseSince } from '../../core/args/parse-time.js';
import { invocationOf, type Cli } from '../../invocation.js';
import type { AuditOptions } from './show-audit.js';

/** `ferry audit`: who changed what. */
export function registerAudit(program: Command, cli: Cli): void {
  program
    .command('audit')
    .option('--since <time>', 'from then on: 7d, 12h, or a date', parseSince)
    .option('--until <time>', 'before then: 7d, 12h, or a date', parseSince)
    .option('--action <action>', 'only this action, such as key.create, or all of a kind: key')
    .option('--actor <id>', 'only what this person or credential did')
    .option('--object <id>', 'only what was done to this thing or this kind of thing')
    .option('--limit <count>', 'at most this many, the newest (default: 100)', parseCount)
    .option('--csv', 'everything that is asked for, as CSV')
    .description('who changed what in the account, newest first')
    .action(async (options: AuditOptions, command: Command) => {
      const { showAudit } = await import('./show-audit.js');
      await showAudit(invocationOf(cli, command), options);
    });
}
