import { Controller, Get, Header, Headers, Query, UseFilters } from '@nestjs/common';
import { ApiOperation, ApiResponse } from 'nest-swagger';
import type { ClusterId } from '../../kernel/ids.js';
import { ReadsModels, Requires } from '../platform/access/access.js';
import { ClusterPin } from '../auth/cluster-pin.js';
import { CurrentCaller, type Caller, CurrentPrincipal, type Principal } from '../platform/access/request-principal.js';
import { OpenAiErrorFilter } from '../platform/http/errors/error-filters.js';
import { Catalogue } from './catalogue.js';
import { clusterScope } from './cluster-scope.js';
import { ManagementController } from '../platform/api/management-controller.js';
import { ModelList } from './model-list.js';

/** `GET /api/models`: the list of `GET /v1/models` for the whole account. */
@ManagementController('models', 'Models and operations')
export class ManagedModelsController {
  constructor(private readonly catalogue: Catalogue) {}

  @Get()
  @Requires('models:read')
  @Header('content-type', 'application/json; charset=utf-8')
  @ApiOperation({
    operationId: 'listModels',
    summary: 'List the models of the account',
    description: 'The same list as `GET /v1/models`, for users.',
  })
  @ApiResponse({ status: 200, description: 'The models of all online nodes.', type: ModelList })
  list(@CurrentPrincipal() { accountId }: Principal): Buffer {
    return this.catalogue.list(accountId, null);
  }
}

/**
 * `GET /v1/models` (docs/reference/public-api.md#list-models): installed and loaded models of online nodes, always in one page. Other queries
 * than `client_version` are ignored.
 */
@Controller('v1/models')
@UseFilters(OpenAiErrorFilter)
export class ModelsController {
  constructor(private readonly catalogue: Catalogue) {}

  @Get()
  @ReadsModels()
  @Header('content-type', 'application/json; charset=utf-8')
  list(
    @CurrentCaller() caller: Caller,
    @ClusterPin() pin: ClusterId | null,
    @Headers('anthropic-version') anthropicVersion: string | undefined,
    @Query('client_version') clientVersion: unknown,
  ): Buffer {
    const form = { anthropic: anthropicVersion !== undefined, codex: clientVersion !== undefined };
    return this.catalogue.list(caller.accountId, clusterScope(pin, caller.clusterIds), form);
  }
}
