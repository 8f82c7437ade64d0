import { Delete, Get, Param } from '@nestjs/common';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { isNodeId, type NodeId } from '../../../kernel/ids.js';
import { CurrentManager, type Manager } from '../../auth/identities.js';
import { NodesService } from '../../nodes/nodes.service.js';
import { listAnswer, type ListAnswer } from '../list-answer.js';
import { ManagementController } from '../management-controller.js';
import { nodeRecord, type NodeRecord } from './node-record.js';

interface RevokedNode {
  readonly object: 'node';
  readonly node_id: NodeId;
  readonly status: 'revoked';
}

@ManagementController('nodes')
export class NodesController {
  constructor(private readonly nodes: NodesService) {}

  @Get()
  async list(@CurrentManager() { accountId }: Manager): Promise<ListAnswer<NodeRecord>> {
    return listAnswer((await this.nodes.list(accountId)).map(nodeRecord));
  }

  /** Cuts the node off and never lets it in again. */
  @Delete(':nodeId')
  async revoke(@CurrentManager() { accountId }: Manager, @Param('nodeId') nodeId: string): Promise<RevokedNode> {
    if (!isNodeId(nodeId) || !(await this.nodes.revoke(accountId, nodeId))) {
      throw new FerryError('not_found', 'There is no node with this id.');
    }
    return { object: 'node', node_id: nodeId, status: 'revoked' };
  }
}
