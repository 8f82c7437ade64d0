import { Body, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import { isNodeId, type NodeId } from '../../kernel/ids.js';
import { Management } from '../platform/access/access.js';
import { CurrentManager, type Manager } from '../platform/access/identities.js';
import { NodesService, type NodeView } from './nodes.service.js';
import { NodeHealth } from './health/node-health.js';
import { ManagementController } from '../api/management-controller.js';
import { pageOfAll, type PageAnswer } from '../api/pagination/page.js';
import { PageQueryDto } from '../api/pagination/page-query.dto.js';
import { ConfirmNodeDto } from './confirm-node.dto.js';
import { nodeRecord, type NodeRecord } from './node-record.js';
import { UpdateNodeDto } from './update-node.dto.js';

interface RemovedNode {
  readonly object: 'node';
  readonly node_id: NodeId;
  /** `revoked` is remembered and can be deleted; `deleted` is gone. */
  readonly status: 'revoked' | 'deleted';
}

const OK = 200;

@ManagementController('nodes')
export class NodesController {
  constructor(
    private readonly nodes: NodesService,
    private readonly health: NodeHealth,
  ) {}

  /** Oldest first, without those that are revoked. */
  @Get()
  @Management('member')
  async list(@CurrentManager() { accountId }: Manager, @Query() query: PageQueryDto): Promise<PageAnswer<NodeRecord>> {
    const nodes = await this.nodes.list(accountId);
    return pageOfAll(
      nodes,
      query,
      'oldest',
      ({ createdAt, nodeId }) => ({ at: createdAt, id: nodeId }),
      (node) => this.record(node),
    );
  }

  @Get(':nodeId')
  @Management('member')
  async find(@CurrentManager() { accountId }: Manager, @Param('nodeId') id: string): Promise<NodeRecord> {
    return this.record((await this.nodes.find(accountId, nodeId(id))) ?? noSuchNode());
  }

  /** Renames, or moves to another cluster. What runs on the node goes on. */
  @Patch(':nodeId')
  @Management('admin')
  async update(
    @CurrentManager() manager: Manager,
    @Param('nodeId') id: string,
    @Body() { name, cluster_id: clusterId }: UpdateNodeDto,
  ): Promise<NodeRecord> {
    const change = { ...(name === undefined ? {} : { name }), ...(clusterId === undefined ? {} : { clusterId }) };
    return this.record((await this.nodes.update(manager.accountId, nodeId(id), change, manager)) ?? noSuchNode());
  }

  /** No new requests from now on; what runs goes on. */
  @Post(':nodeId/pause')
  @Management('admin')
  @HttpCode(OK)
  async pause(@CurrentManager() manager: Manager, @Param('nodeId') id: string): Promise<NodeRecord> {
    return this.record((await this.nodes.pause(manager.accountId, nodeId(id), true, manager)) ?? noSuchNode());
  }

  @Post(':nodeId/resume')
  @Management('admin')
  @HttpCode(OK)
  async resume(@CurrentManager() manager: Manager, @Param('nodeId') id: string): Promise<NodeRecord> {
    return this.record((await this.nodes.pause(manager.accountId, nodeId(id), false, manager)) ?? noSuchNode());
  }

  /** Lets in a node that was approved by its device code. */
  @Post(':nodeId/confirm')
  @Management('admin')
  @HttpCode(OK)
  async confirm(
    @CurrentManager() manager: Manager,
    @Param('nodeId') id: string,
    @Body() { fingerprint }: ConfirmNodeDto,
  ): Promise<NodeRecord> {
    const node = await this.nodes.confirm(manager.accountId, nodeId(id), fingerprint, manager);
    return this.record(node ?? noSuchNode());
  }

  /** Cuts the node off and never lets it in again. Of a node that is revoked already, deletes what is remembered. */
  @Delete(':nodeId')
  @Management('admin')
  async remove(@CurrentManager() manager: Manager, @Param('nodeId') text: string): Promise<RemovedNode> {
    const { accountId } = manager;
    const id = nodeId(text);
    if (await this.nodes.revoke(accountId, id, manager)) return { object: 'node', node_id: id, status: 'revoked' };
    if (await this.nodes.delete(accountId, id, manager)) return { object: 'node', node_id: id, status: 'deleted' };
    return noSuchNode();
  }

  private record(node: NodeView): NodeRecord {
    return nodeRecord(node, this.health);
  }
}

/** @throws FerryError `not_found`, for an id that cannot exist as for one that does not */
function nodeId(text: string): NodeId {
  return isNodeId(text) ? text : noSuchNode();
}

function noSuchNode(): never {
  throw new FerryError('not_found', 'There is no node with this id.');
}
