import { Body, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { IsIn, IsOptional } from 'class-validator';
import { ApiOperation, ApiProperty, ApiPropertyOptional, ApiResponse } from 'nest-swagger';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import { isNodeId, type NodeId } from '../../kernel/ids.js';
import { Requires } from '../platform/access/access.js';
import { CurrentPrincipal, type Principal } from '../platform/access/request-principal.js';
import { NodesService, type NodeView } from './nodes.service.js';
import { NodeHealth } from './health/node-health.js';
import { ManagementController } from '../platform/api/management-controller.js';
import { pageOfAll, type PageResponse } from '../platform/api/pagination/page.js';
import { PageQueryDto } from '../platform/api/pagination/page-query.dto.js';
import { ConfirmNodeDto, UpdateNodeDto } from './nodes.dto.js';
import { linkEventRecord, nodeRecord, NodeRecord } from './node-record.js';
import { ApiErrors, ApiPage } from '../platform/openapi/responses.js';

export class RemovedNodeRecord {
  @ApiProperty({ enum: ['node'] })
  readonly object: 'node';
  @ApiProperty({ type: 'string' })
  readonly node_id: NodeId;
  @ApiProperty({
    enum: ['revoked', 'deleted'],
    description: '`revoked` nodes are kept and can be deleted; `deleted` ones are removed.',
  })
  readonly status: 'revoked' | 'deleted';
}

const OK = 200;

class ListNodesDto extends PageQueryDto {
  @ApiPropertyOptional({
    enum: ['revoked'],
    description: '`revoked`: the nodes that are revoked and not yet deleted. Default: all others.',
  })
  @IsOptional()
  @IsIn(['revoked'])
  status?: 'revoked';
}

@ManagementController('nodes', 'Nodes')
export class NodesController {
  constructor(
    private readonly nodes: NodesService,
    private readonly health: NodeHealth,
  ) {}

  @Get()
  @Requires('nodes:read')
  @ApiOperation({ operationId: 'listNodes', summary: 'List the nodes' })
  @ApiPage(NodeRecord, 'Oldest first.')
  async list(
    @CurrentPrincipal() { accountId }: Principal,
    @Query() query: ListNodesDto,
  ): Promise<PageResponse<NodeRecord>> {
    const nodes = await this.nodes.list(accountId, query.status === 'revoked');
    return pageOfAll(
      nodes,
      query,
      'oldest',
      ({ createdAt, nodeId }) => ({ at: createdAt, id: nodeId }),
      (node) => this.record(node),
    );
  }

  @Get(':nodeId')
  @Requires('nodes:read')
  @ApiOperation({ operationId: 'getNode', summary: 'Get a node' })
  @ApiResponse({ status: 200, description: 'The node.', type: NodeRecord })
  async find(@CurrentPrincipal() { accountId }: Principal, @Param('nodeId') id: string): Promise<NodeRecord> {
    const node = (await this.nodes.find(accountId, nodeId(id))) ?? noSuchNode();
    return { ...this.record(node), link_events: this.nodes.linkEvents(node.nodeId).map(linkEventRecord) };
  }

  @Patch(':nodeId')
  @Requires('nodes:write')
  @ApiOperation({
    operationId: 'changeNode',
    summary: 'Change a node: its name, cluster, note or tags',
    description: 'Running requests and operations continue.',
  })
  @ApiResponse({ status: 200, description: 'The updated object.', type: NodeRecord })
  @ApiErrors('cluster_not_found')
  async update(
    @CurrentPrincipal() principal: Principal,
    @Param('nodeId') id: string,
    @Body() { name, cluster_id: clusterId, note, tags }: UpdateNodeDto,
  ): Promise<NodeRecord> {
    const change = {
      ...(name === undefined ? {} : { name }),
      ...(clusterId === undefined ? {} : { clusterId }),
      ...(note === undefined ? {} : { note }),
      ...(tags === undefined ? {} : { tags }),
    };
    return this.record((await this.nodes.update(principal.accountId, nodeId(id), change, principal)) ?? noSuchNode());
  }

  @Post(':nodeId/pause')
  @Requires('nodes:write')
  @HttpCode(OK)
  @ApiOperation({ operationId: 'pauseNode', summary: 'Pause a node' })
  @ApiResponse({
    status: 200,
    description: 'The node. It gets no new requests; running ones continue.',
    type: NodeRecord,
  })
  async pause(@CurrentPrincipal() principal: Principal, @Param('nodeId') id: string): Promise<NodeRecord> {
    return this.record((await this.nodes.pause(principal.accountId, nodeId(id), true, principal)) ?? noSuchNode());
  }

  @Post(':nodeId/resume')
  @Requires('nodes:write')
  @HttpCode(OK)
  @ApiOperation({ operationId: 'resumeNode', summary: 'Resume a paused node' })
  @ApiResponse({ status: 200, description: 'The node.', type: NodeRecord })
  async resume(@CurrentPrincipal() principal: Principal, @Param('nodeId') id: string): Promise<NodeRecord> {
    return this.record((await this.nodes.pause(principal.accountId, nodeId(id), false, principal)) ?? noSuchNode());
  }

  @Post(':nodeId/confirm')
  @Requires('nodes:write')
  @HttpCode(OK)
  @ApiOperation({
    operationId: 'confirmNode',
    summary: 'Confirm the fingerprint of a pending node',
    description:
      'Requires the words shown on the screen of the node, which proves that the right computer was approved.',
  })
  @ApiResponse({ status: 200, description: 'The active node.', type: NodeRecord })
  @ApiErrors('conflict')
  async confirm(
    @CurrentPrincipal() principal: Principal,
    @Param('nodeId') id: string,
    @Body() { fingerprint }: ConfirmNodeDto,
  ): Promise<NodeRecord> {
    const node = await this.nodes.confirm(principal.accountId, nodeId(id), fingerprint, principal);
    return this.record(node ?? noSuchNode());
  }

  @Delete(':nodeId')
  @Requires('nodes:write')
  @ApiOperation({ operationId: 'removeNode', summary: 'Revoke a node, or delete a revoked one' })
  @ApiResponse({
    status: 200,
    description: 'A revoked node is disconnected and cannot connect again. Deleting removes its record.',
    type: RemovedNodeRecord,
  })
  async remove(@CurrentPrincipal() principal: Principal, @Param('nodeId') text: string): Promise<RemovedNodeRecord> {
    const { accountId } = principal;
    const id = nodeId(text);
    if (await this.nodes.revoke(accountId, id, principal)) return { object: 'node', node_id: id, status: 'revoked' };
    if (await this.nodes.delete(accountId, id, principal)) return { object: 'node', node_id: id, status: 'deleted' };
    return noSuchNode();
  }

  private record(node: NodeView): NodeRecord {
    return nodeRecord(node, this.health);
  }
}

/** @throws FerryError `not_found` for a malformed id */
function nodeId(text: string): NodeId {
  return isNodeId(text) ? text : noSuchNode();
}

function noSuchNode(): never {
  throw new FerryError('not_found', 'There is no node with this id.');
}
