import { Option, type Command } from 'commander';
import { parseCount } from '../../core/args/parse-count.js';
import { parseSince } from '../../core/args/parse-time.js';
import { lazyAction, type Cli } from '../../invocation.js';

/** `ferry usage`: usage by model, key or node. */
export function registerUsage(program: Command, cli: Cli): void {
  program
    .command('usage')
    .option('--since <time>', 'start: 7d, 24h, or a date (default: 7d)')
    .option('--until <time>', 'end: a date')
    .addOption(
      new Option('--by <dimension>', 'group by')
        .choices(['model', 'node', 'key', 'cluster', 'dialect', 'hour'])
        .default('model'),
    )
    .option('--cluster <cluster>', 'only this cluster: its id or name')
    .option('--csv', 'print CSV')
    .description('show requests and tokens by model, node, key, cluster, dialect or hour')
    .action(lazyAction(cli, async () => (await import('./show-usage.js')).showUsage));
}

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
    .action(lazyAction(cli, async () => (await import('../audit/show-audit.js')).showAudit));
}
