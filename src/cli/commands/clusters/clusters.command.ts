import type { Command } from 'commander';
import { invocationOf, type Cli } from '../../invocation.js';

/** `ferry clusters`: the roster that docs/reference/public-api.md#routes names, in a table or as JSON. */
export function registerClusters(program: Command, cli: Cli): void {
  const list = async (_options: unknown, command: Command): Promise<void> => {
    const { listClusters } = await import('./manage-clusters.js');
    await listClusters(invocationOf(cli, command));
  };
  const clusters = program
    .command('clusters')
    .description('list clusters with their nodes and loaded models, and manage them')
    .action(list);
  clusters.command('list').alias('ls').description('list the clusters').action(list);
  clusters
    .command('create')
    .argument('<name>', 'name of the new cluster')
    .description('create a cluster; its id is printed')
    .action(async (name: string, _options: unknown, command: Command) => {
      const { createCluster } = await import('./manage-clusters.js');
      await createCluster(invocationOf(cli, command), name);
    });
  clusters
    .command('rename')
    .argument('<cluster>', 'id or name of the cluster')
    .argument('<name>', 'its new name')
    .description('rename a cluster; its id stays')
    .action(async (cluster: string, name: string, _options: unknown, command: Command) => {
      const { renameCluster } = await import('./manage-clusters.js');
      await renameCluster(invocationOf(cli, command), cluster, name);
    });
  clusters
    .command('delete')
    .alias('rm')
    .argument('<cluster>', 'id or name of the cluster')
    .option('-y, --yes', 'do not ask for confirmation')
    .description('delete an empty cluster; move or revoke its nodes first')
    .action(async (cluster: string, options: { yes?: true }, command: Command) => {
      const { deleteCluster } = await import('./manage-clusters.js');
      await deleteCluster(invocationOf(cli, command), cluster, options);
    });
}
