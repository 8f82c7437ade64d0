import type { Command } from 'commander';
import { invocationOf, lazyAction, type Cli } from '../../invocation.js';

const listing = (command: Command): Command =>
  command.option('--all', 'also finished ones').description('list running installs, loads, unloads and removals');

/** `ferry models jobs`: the operations of the nodes, which outlive the command that asked for them. */
export function registerJobs(models: Command, cli: Cli): void {
  const list = async (_options: unknown, command: Command): Promise<void> => {
    const { listJobs } = await import('./jobs.js');
    // Of the group, too: that is where the option is when both have it.
    await listJobs(invocationOf(cli, command), command.optsWithGlobals<{ all?: true }>());
  };
  const jobs = listing(models.command('jobs')).action(list);
  listing(jobs.command('list').alias('ls')).action(list);
  jobs
    .command('watch')
    .argument('<job>', 'id of the job')
    .description('show the progress of a job until it ends')
    .action(lazyAction(cli, async () => (await import('./jobs.js')).watchJob));
  jobs
    .command('cancel')
    .argument('<job>', 'id of the job')
    .description('cancel a job')
    .action(lazyAction(cli, async () => (await import('./jobs.js')).cancelJob));
}
