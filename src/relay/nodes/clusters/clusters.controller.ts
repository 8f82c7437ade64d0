import { Body, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { isClusterId, type ClusterId } from '../../../kernel/ids.js';
import { Management } from '../../platform/access/access.js';
import { CurrentManager, type Manager } from '../../platform/access/identities.js';
import { ClustersService } from '../../clusters/clusters.service.js';
import { NodesService } from '../nodes.service.js';
import { ManagementController } from '../../api/management-controller.js';
import { pageOfAll, type PageAnswer } from '../../api/pagination/page.js';
import { PageQueryDto } from '../../api/pagination/page-query.dto.js';
import { clusterRecord, type ClusterRecord } from './cluster-record.js';
import { CreateClusterDto } from './create-cluster.dto.js';

@ManagementController('clusters')
export class ClustersController {
  constructor(
    private readonly clusters: ClustersService,
    private readonly nodes: NodesService,
  ) {}

  @Get()
  @Management('member')
  async list(
    @CurrentManager() { accountId }: Manager,
    @Query() query: PageQueryDto,
  ): Promise<PageAnswer<ClusterRecord>> {
    const clusters = await this.clusters.list(accountId);
    const nodes = await this.nodes.list(accountId);
    return pageOfAll(
      clusters,
      query,
      'oldest',
      ({ createdAt, id }) => ({ at: createdAt, id }),
      (cluster) => clusterRecord(cluster, nodes),
    );
  }

  @Post()
  @Management('admin')
  async create(@CurrentManager() manager: Manager, @Body() { name }: CreateClusterDto): Promise<ClusterRecord> {
    return clusterRecord(await this.clusters.create(manager.accountId, name, manager), []);
  }

  @Patch(':clusterId')
  @Management('admin')
  async rename(
    @CurrentManager() manager: Manager,
    @Param('clusterId') id: string,
    @Body() { name }: CreateClusterDto,
  ): Promise<ClusterRecord> {
    const { accountId } = manager;
    const cluster = await this.clusters.rename(accountId, clusterId(id), name, manager);
    return clusterRecord(cluster, await this.nodes.list(accountId));
  }

  /** Only when it is empty: its nodes are moved or revoked before. */
  @Delete(':clusterId')
  @Management('admin')
  @HttpCode(204)
  async delete(@CurrentManager() manager: Manager, @Param('clusterId') id: string): Promise<void> {
    await this.clusters.delete(manager.accountId, clusterId(id), manager);
  }
}

/** @throws FerryError `cluster_not_found`, for an id that cannot exist as for one that does not */
function clusterId(text: string): ClusterId {
  if (!isClusterId(text)) throw new FerryError('cluster_not_found');
  return text;
}
