import type { Command } from 'commander';
import { invocationOf, type Cli } from '../invocation.js';

/** `ferry models jobs`: the operations of the nodes, which outlive the command that asked for them. */
export function registerJobs(models: Command, cli: Cli): void {
  const jobs = models
    .command('jobs')
    .option('--all', 'also those that are over')
    .description('installs, loads, unloads and removals under way')
    .action(async (options: { all?: true }, command: Command) => {
      const { listJobs } = await import('./jobs.js');
      await listJobs(invocationOf(cli, command), options);
    });
  jobs
    .command('watch')
    .argument('<job>', 'id of the job')
    .description('show the progress of a job until it is over')
    .action(async (job: string, _options: unknown, command: Command) => {
      const { watchJob } = await import('./jobs.js');
      await watchJob(invocationOf(cli, command), job);
    });
  jobs
    .command('cancel')
    .argument('<job>', 'id of the job')
    .description('stop a job')
    .action(async (job: string, _options: unknown, command: Command) => {
      const { cancelJob } = await import('./jobs.js');
      await cancelJob(invocationOf(cli, command), job);
    });
}
