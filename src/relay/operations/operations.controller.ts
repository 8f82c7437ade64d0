import { Body, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiResponse } from 'nest-swagger';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import { isOperationId, type OperationId } from '../../kernel/ids.js';
import { Requires } from '../platform/access/access.js';
import { CurrentPrincipal, type Principal } from '../platform/access/request-principal.js';
import { OperationsService } from './operations.service.js';
import { listResponse } from '../platform/api/list-response.js';
import { momentOf } from '../platform/api/moment.js';
import { ManagementController } from '../platform/api/management-controller.js';
import { toCursor } from '../platform/api/pagination/cursor.js';
import { pageRequest, type PageResponse } from '../platform/api/pagination/page.js';
import { CreateOperationDto } from './create-operation.dto.js';
import { ListOperationsDto } from './list-operations.dto.js';
import { isLive } from './operation.js';
import { OperationRecord } from './operation-record.js';
import { OperationRecords } from './operation-records.js';
import { OperationTargets } from './operation-targets.js';
import { ApiErrors, ApiPage } from '../platform/openapi/responses.js';

const ACCEPTED = 202;

/** Model operations of the account. Requests do not wait for the node: the response is the operation. */
@ManagementController('operations', 'Models and operations')
export class OperationsController {
  constructor(
    private readonly operations: OperationsService,
    private readonly targets: OperationTargets,
    private readonly records: OperationRecords,
  ) {}

  @Post()
  @Requires('operations:write')
  @HttpCode(ACCEPTED)
  @ApiOperation({
    operationId: 'createOperation',
    summary: 'Create an operation',
    description:
      'Installs, loads, unloads or removes a model on a node. Returns at once; the operation continues on the node.',
  })
  @ApiResponse({ status: 202, description: 'The operation.', type: OperationRecord })
  @ApiErrors('not_found', 'model_not_found', 'node_offline', 'operation_conflict', 'too_many_operations')
  async create(@CurrentPrincipal() principal: Principal, @Body() input: CreateOperationDto): Promise<OperationRecord> {
    const { accountId, credential } = principal;
    const request = await this.targets.resolve(accountId, input, credential.id);
    return this.records.of(accountId, await this.operations.create(accountId, request, principal));
  }

  /** Newest first. */
  @Get()
  @Requires('operations:read')
  @ApiOperation({ operationId: 'listOperations', summary: 'List operations' })
  @ApiPage(OperationRecord, 'Newest first.')
  async list(
    @CurrentPrincipal() { accountId }: Principal,
    @Query() query: ListOperationsDto,
  ): Promise<PageResponse<OperationRecord>> {
    const { limit, after } = pageRequest(query);
    const { operations, next } = await this.operations.list(accountId, {
      states: query.state ?? [],
      nodeId: query.node_id ?? null,
      since: query.since === undefined ? null : momentOf(query.since, 'since', Date.now()),
      dismissed: query.dismissed === undefined ? null : query.dismissed === 'true',
      limit,
      after: after === null ? null : { createdAt: after.at, id: after.id },
    });
    return {
      ...listResponse(operations.map((operation) => this.records.of(accountId, operation))),
      has_more: next !== null,
      next_cursor: next === null ? null : toCursor({ at: next.createdAt, id: next.id }),
    };
  }

  @Get(':id')
  @Requires('operations:read')
  @ApiOperation({ operationId: 'getOperation', summary: 'Get an operation' })
  @ApiResponse({ status: 200, description: 'The operation.', type: OperationRecord })
  async find(@CurrentPrincipal() { accountId }: Principal, @Param('id') id: string): Promise<OperationRecord> {
    return this.records.of(accountId, await this.operations.get(accountId, operationId(id)));
  }

  /** The node reports the outcome, which is not `cancelled` when the operation had already ended. */
  @Post(':id/cancel')
  @Requires('operations:write')
  @HttpCode(ACCEPTED)
  @ApiOperation({
    operationId: 'cancelOperation',
    summary: 'Cancel an operation',
    description: 'The node reports the outcome: `cancelled`, or another one if the operation ended before.',
  })
  @ApiResponse({ status: 202, description: 'The operation.', type: OperationRecord })
  async cancel(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<OperationRecord> {
    const { accountId } = principal;
    return this.records.of(accountId, await this.operations.cancel(accountId, operationId(id), principal));
  }

  @Post(':id/retry')
  @Requires('operations:write')
  @HttpCode(ACCEPTED)
  @ApiOperation({
    operationId: 'retryOperation',
    summary: 'Try an operation again',
    description: 'Creates another operation with the same parameters, and dismisses the failed one.',
  })
  @ApiResponse({ status: 202, description: 'The new operation.', type: OperationRecord })
  @ApiErrors('not_found', 'node_offline', 'operation_conflict', 'too_many_operations')
  async retry(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<OperationRecord> {
    const { accountId, credential } = principal;
    const earlier = await this.operations.get(accountId, operationId(id));
    if (isLive(earlier)) throw new FerryError('operation_conflict', 'This operation is still in progress.');
    const request = await this.targets.again(accountId, earlier, credential.id);
    return this.records.of(accountId, await this.operations.create(accountId, request, principal));
  }

  /** Not deleted: it stays in the list. */
  @Post(':id/dismiss')
  @Requires('operations:write')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'dismissOperation',
    summary: 'Dismiss a failed operation',
    description: 'It needs no attention any more, and stays in the list. Other operations do not change.',
  })
  @ApiResponse({ status: 200, description: 'The operation.', type: OperationRecord })
  async dismiss(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<OperationRecord> {
    const { accountId } = principal;
    return this.records.of(accountId, await this.operations.dismiss(accountId, operationId(id), principal));
  }
}

/** @throws FerryError `not_found` for a malformed id */
export function operationId(text: string): OperationId {
  if (!isOperationId(text)) throw new FerryError('not_found', 'There is no operation with this id.');
  return text;
}
