import { Get, Param } from '@nestjs/common';
import { ApiOperation, ApiProperty } from 'nest-swagger';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { isNodeId } from '../../../kernel/ids.js';
import { NodesService } from '../../nodes/nodes.service.js';
import { Requires } from '../../platform/access/access.js';
import { CurrentPrincipal, type Principal } from '../../platform/access/request-principal.js';
import { listResponse } from '../../platform/api/list-response.js';
import { ManagementController } from '../../platform/api/management-controller.js';
import type { PageResponse } from '../../platform/api/pagination/page.js';
import { ApiPage } from '../../platform/openapi/responses.js';
import { LearnedRatesStore } from '../learned-rates/learned-rates.store.js';
import { startersOf } from './starters-of-node.js';

/** A model to begin with, as one engine of the node installs it. */
export class StarterModelRecord {
  @ApiProperty({ enum: ['starter_model'] })
  readonly object: 'starter_model';
  @ApiProperty({ example: 'Qwen3 8B' })
  readonly name: string;
  @ApiProperty({ example: 'Chat, tools and simple code' })
  readonly description: string;
  @ApiProperty({ description: 'Engine of the node; accepted by operations.', example: 'ollama' })
  readonly engine: string;
  @ApiProperty({ description: 'Source; accepted by operations.', example: 'qwen3:8b' })
  readonly source: string;
  @ApiProperty({ type: 'integer', description: 'Size of the download, rounded.', example: 5_200_000_000 })
  readonly size_bytes: number;
  @ApiProperty({ description: 'It serves `POST /v1/embeddings`, an extension, and no chat.' })
  readonly embedding: boolean;
  @ApiProperty({
    type: 'number',
    nullable: true,
    description:
      'Estimated from the speed of the models that the node has served in the last hours; null if there is none to compare with, and for models that embed.',
    example: 41.5,
  })
  readonly tokens_per_second: number | null;
}

@ManagementController('nodes', 'Nodes')
export class StarterModelsController {
  constructor(
    private readonly nodes: NodesService,
    private readonly rates: LearnedRatesStore,
  ) {}

  @Get(':nodeId/starter-models')
  @Requires('nodes:read')
  @ApiOperation({
    operationId: 'listStarterModels',
    summary: 'List models to begin with on a node',
    description:
      'Well-known open models by the names under which the engines of the node install them. Whether one fits follows from its size and the memory of the node.',
  })
  @ApiPage(
    StarterModelRecord,
    'For each engine those that chat, then those that embed; smallest first. Always one page; empty while the node is offline.',
  )
  async list(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('nodeId') id: string,
  ): Promise<PageResponse<StarterModelRecord>> {
    const node = isNodeId(id) ? await this.nodes.find(accountId, id) : undefined;
    if (node === undefined) throw new FerryError('not_found', 'There is no node with this id.');
    const starters = startersOf(node, await this.rates.decodeTimes(accountId, node.nodeId));
    const records = starters.map(
      ({ name, about, engine, source, sizeBytes, embedding, tokensPerSecond }): StarterModelRecord => ({
        object: 'starter_model',
        name,
        description: about,
        engine,
        source,
        size_bytes: sizeBytes,
        embedding,
        tokens_per_second: tokensPerSecond === null ? null : Math.round(tokensPerSecond * 10) / 10,
      }),
    );
    return { ...listResponse(records), has_more: false, next_cursor: null };
  }
}
