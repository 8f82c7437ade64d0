import { Get, Param, Query } from '@nestjs/common';
import { IsIn, IsOptional } from 'class-validator';
import { ApiOperation, ApiPropertyOptional, ApiResponse } from 'nest-swagger';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { isNodeId } from '../../../kernel/ids.js';
import { NodesService } from '../../nodes/nodes.service.js';
import { NodeSamplesStore } from '../../nodes/samples/node-samples.store.js';
import { ManagementController } from '../../platform/api/management-controller.js';
import { Requires } from '../../platform/access/access.js';
import { CurrentPrincipal, type Principal } from '../../platform/access/request-principal.js';
import { historyRanges, nodeHistory, rangeUntil, type HistoryRange } from './node-history.js';
import { NodeHistoryRecord } from './node-history-record.js';
import { NodeHistoryStore } from './node-history.store.js';

/** The query of `GET /api/nodes/{nodeId}/history`. */
class NodeHistoryDto {
  @ApiPropertyOptional({ enum: historyRanges as unknown as string[], description: 'Default: `hour`.' })
  @IsOptional()
  @IsIn(historyRanges)
  range?: HistoryRange;
}

@ManagementController('nodes', 'Nodes')
export class NodeHistoryController {
  constructor(
    private readonly nodes: NodesService,
    private readonly samples: NodeSamplesStore,
    private readonly store: NodeHistoryStore,
  ) {}

  @Get(':nodeId/history')
  @Requires('nodes:read')
  @ApiOperation({
    operationId: 'getNodeHistory',
    summary: 'Get the load of a node over time',
    description: 'Slots and memory as the node reported them, a minute late, and tokens from the request log.',
  })
  @ApiResponse({ status: 200, description: 'The last hour, day or week.', type: NodeHistoryRecord })
  async show(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('nodeId') id: string,
    @Query() query: NodeHistoryDto,
  ): Promise<NodeHistoryRecord> {
    const node = isNodeId(id) ? await this.nodes.find(accountId, id) : undefined;
    if (node === undefined) throw new FerryError('not_found', 'There is no node with this id.');
    const range = query.range ?? 'hour';
    const sampled = rangeUntil(range, Date.now());
    const [samples, tokens] = await Promise.all([
      this.samples.buckets(accountId, node.nodeId, sampled),
      this.store.tokens(accountId, node.nodeId, sampled),
    ]);
    return { object: 'node_history', node_id: node.nodeId, range, ...nodeHistory(sampled, samples, tokens) };
  }
}
