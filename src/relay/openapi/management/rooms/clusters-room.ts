import { integer, list, literal, object, optional, text, whole } from '../../inference/schema.js';
import type { ManagementRoom } from '../management-route.js';
import { EXAMPLE_SECONDS, exampleIds, SECRET_PLACEHOLDER } from './examples.js';
import { onePage, pageOf, seconds } from './fields.js';

const clusterExample = {
  object: 'cluster',
  cluster_id: exampleIds.cluster,
  name: 'home',
  nodes: 2,
  online: 1,
  loaded: ['Qwen3 8B'],
  models: 3,
  created: EXAMPLE_SECONDS,
};

export const clustersRoom: ManagementRoom = {
  tag: 'Clusters',
  about: 'Named groups of nodes, and tokens with which computers join them.',
  routes: [
    {
      method: 'get',
      path: '/api/clusters',
      operationId: 'listClusters',
      summary: 'List the clusters',
      role: 'member',
      paged: true,
      answer: {
        status: 200,
        about: 'Oldest first: the first one is where a computer goes when nobody says otherwise.',
        schema: 'ClusterList',
        example: onePage(clusterExample),
      },
    },
    {
      method: 'post',
      path: '/api/clusters',
      operationId: 'createCluster',
      summary: 'Create a cluster',
      role: 'admin',
      request: { schema: 'ClusterName', example: { name: 'office' } },
      answer: {
        status: 201,
        about: 'The new cluster.',
        schema: 'Cluster',
        example: { ...clusterExample, name: 'office', nodes: 0, online: 0, loaded: [], models: 0 },
      },
    },
    {
      method: 'patch',
      path: '/api/clusters/{clusterId}',
      operationId: 'renameCluster',
      summary: 'Rename a cluster',
      role: 'admin',
      request: { schema: 'ClusterName', example: { name: 'attic' } },
      answer: { status: 200, about: 'As renamed.', schema: 'Cluster', example: { ...clusterExample, name: 'attic' } },
      errors: ['cluster_not_found'],
    },
    {
      method: 'delete',
      path: '/api/clusters/{clusterId}',
      operationId: 'deleteCluster',
      summary: 'Delete an empty cluster',
      description: 'Its nodes are moved or deleted before.',
      role: 'admin',
      answer: { status: 204, about: 'It is gone.' },
      errors: ['cluster_not_found', 'conflict'],
    },
    {
      method: 'post',
      path: '/api/join-tokens',
      operationId: 'createJoinToken',
      summary: 'Make a token that turns one computer into a node',
      description: 'Good for one computer and a quarter of an hour.',
      role: 'admin',
      request: { schema: 'CreateJoinToken', example: { cluster_id: exampleIds.cluster }, optional: true },
      answer: {
        status: 201,
        about: 'The token, shown this once, and commands that use it.',
        schema: 'JoinToken',
        example: {
          join_token: SECRET_PLACEHOLDER,
          expires_at: EXAMPLE_SECONDS + 900,
          cluster_id: exampleIds.cluster,
          command: `ferry node join ${SECRET_PLACEHOLDER} --relay https://relay.example`,
          install_command: SECRET_PLACEHOLDER,
          install_command_windows: SECRET_PLACEHOLDER,
        },
      },
      errors: ['cluster_not_found'],
    },
  ],
  schemas: {
    Cluster: whole({
      object: literal('cluster'),
      cluster_id: text('For `X-Cluster-ID`.'),
      name: text(),
      nodes: integer('Enrolled, online or not.'),
      online: integer(),
      loaded: list(text(), 'Names of the models that are ready on an online node.'),
      models: integer('How many models its online nodes have, loaded or not.'),
      created: seconds('When it was made.'),
    }),
    ClusterList: pageOf('Cluster'),
    ClusterName: object({ name: text('Unique in the account; 1 to 64 visible characters.') }, ['name']),
    CreateJoinToken: object(optional({ cluster_id: text('Default: the oldest cluster.') })),
    JoinToken: whole({
      join_token: text('Shown this once.'),
      expires_at: seconds('Until when it can be used.'),
      cluster_id: text(),
      command: text('To be run where Ferry is installed.'),
      install_command: text('The same for a computer with Node.js alone, on Linux and macOS.'),
      install_command_windows: text('In PowerShell on Windows.'),
    }),
  },
};
