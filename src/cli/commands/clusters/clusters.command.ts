import type { Command } from 'commander';
import { lazyAction, type Cli } from '../../invocation.js';

/** `ferry clusters`: the roster that docs/reference/public-api.md#routes names, in a table or as JSON. */
export function registerClusters(program: Command, cli: Cli): void {
  const list = lazyAction(cli, async () => (await import('./manage-clusters.js')).listClusters);
  const clusters = program
    .command('clusters')
    .description('list clusters with their nodes and loaded models, and manage them')
    .action(list);
  clusters.command('list').alias('ls').description('list the clusters').action(list);
  clusters
    .command('create')
    .argument('<name>', 'name of the new cluster')
    .description('create a cluster; its id is printed')
    .action(lazyAction(cli, async () => (await import('./manage-clusters.js')).createCluster));
  clusters
    .command('rename')
    .argument('<cluster>', 'id or name of the cluster')
    .argument('<name>', 'its new name')
    .description('rename a cluster; its id stays')
    .action(lazyAction(cli, async () => (await import('./manage-clusters.js')).renameCluster));
  clusters
    .command('delete')
    .alias('rm')
    .argument('<cluster>', 'id or name of the cluster')
    .option('-y, --yes', 'do not ask for confirmation')
    .description('delete an empty cluster; move or revoke its nodes first')
    .action(lazyAction(cli, async () => (await import('./manage-clusters.js')).deleteCluster));
}
