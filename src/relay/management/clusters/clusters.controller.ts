import { Body, Get, Post } from '@nestjs/common';
import { CurrentManager, type Manager } from '../../auth/identities.js';
import { ClustersService } from '../../clusters/clusters.service.js';
import { NodesService } from '../../nodes/nodes.service.js';
import { listAnswer, type ListAnswer } from '../list-answer.js';
import { ManagementController } from '../management-controller.js';
import { clusterRecord, type ClusterRecord } from './cluster-record.js';
import { CreateClusterDto } from './create-cluster.dto.js';

@ManagementController('clusters')
export class ClustersController {
  constructor(
    private readonly clusters: ClustersService,
    private readonly nodes: NodesService,
  ) {}

  @Get()
  async list(@CurrentManager() { accountId }: Manager): Promise<ListAnswer<ClusterRecord>> {
    const clusters = await this.clusters.list(accountId);
    const nodes = await this.nodes.list(accountId);
    return listAnswer(clusters.map((cluster) => clusterRecord(cluster, nodes)));
  }

  @Post()
  async create(@CurrentManager() { accountId }: Manager, @Body() { name }: CreateClusterDto): Promise<ClusterRecord> {
    return clusterRecord(await this.clusters.create(accountId, name), []);
  }
}
