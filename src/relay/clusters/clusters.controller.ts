import { Body, Delete, Get, HttpCode, Inject, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiProperty } from 'nest-swagger';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import { isClusterId, type ClusterId } from '../../kernel/ids.js';
import { Requires } from '../platform/access/access.js';
import { CurrentPrincipal, type Principal } from '../platform/access/request-principal.js';
import { ClustersService } from './clusters.service.js';
import { CLUSTER_NODES, type ClusterNodes } from './cluster-nodes.js';
import { ManagementController } from '../platform/api/management-controller.js';
import { pageOfAll, type PageResponse } from '../platform/api/pagination/page.js';
import { PageQueryDto } from '../platform/api/pagination/page-query.dto.js';
import { clusterRecord, ClusterRecord } from './cluster-record.js';
import { ApiErrors, ApiPage } from '../platform/openapi/responses.js';
import { Matches } from 'class-validator';
import { NAME, NAME_RULE } from '../platform/api/names.js';

class CreateClusterDto {
  @ApiProperty({ description: 'Unique in the account; 1 to 64 printable characters.', example: 'office' })
  @Matches(NAME, { message: NAME_RULE })
  name: string;
}

@ManagementController('clusters', 'Clusters')
export class ClustersController {
  constructor(
    private readonly clusters: ClustersService,
    @Inject(CLUSTER_NODES) private readonly nodes: ClusterNodes,
  ) {}

  @Get()
  @Requires('clusters:read')
  @ApiOperation({ operationId: 'listClusters', summary: 'List the clusters' })
  @ApiPage(ClusterRecord, 'Oldest first. The first cluster is the default for new nodes.')
  async list(
    @CurrentPrincipal() { accountId }: Principal,
    @Query() query: PageQueryDto,
  ): Promise<PageResponse<ClusterRecord>> {
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
  @Requires('clusters:write')
  @ApiOperation({ operationId: 'createCluster', summary: 'Create a cluster' })
  @ApiResponse({ status: 201, description: 'The new cluster.', type: ClusterRecord })
  async create(@CurrentPrincipal() principal: Principal, @Body() { name }: CreateClusterDto): Promise<ClusterRecord> {
    return clusterRecord(await this.clusters.create(principal.accountId, name, principal), []);
  }

  @Patch(':clusterId')
  @Requires('clusters:write')
  @ApiOperation({ operationId: 'renameCluster', summary: 'Rename a cluster' })
  @ApiResponse({ status: 200, description: 'The renamed cluster.', type: ClusterRecord })
  @ApiErrors('cluster_not_found')
  async rename(
    @CurrentPrincipal() principal: Principal,
    @Param('clusterId') id: string,
    @Body() { name }: CreateClusterDto,
  ): Promise<ClusterRecord> {
    const { accountId } = principal;
    const cluster = await this.clusters.rename(accountId, clusterId(id), name, principal);
    return clusterRecord(cluster, await this.nodes.list(accountId));
  }

  /** Fails unless the cluster is empty. */
  @Delete(':clusterId')
  @Requires('clusters:write')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'deleteCluster',
    summary: 'Delete an empty cluster',
    description: 'Move or delete its nodes first.',
  })
  @ApiResponse({ status: 204, description: 'The cluster is deleted.' })
  @ApiErrors('cluster_not_found', 'conflict')
  async delete(@CurrentPrincipal() principal: Principal, @Param('clusterId') id: string): Promise<void> {
    await this.clusters.delete(principal.accountId, clusterId(id), principal);
  }
}

/** @throws FerryError `cluster_not_found` for a malformed id */
function clusterId(text: string): ClusterId {
  if (!isClusterId(text)) throw new FerryError('cluster_not_found');
  return text;
}
