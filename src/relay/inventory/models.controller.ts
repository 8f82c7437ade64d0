import { Controller, Get, Header, UseFilters } from '@nestjs/common';
import type { ClusterId } from '../../kernel/ids.js';
import { ReadsModels } from '../platform/access/access.js';
import { ClusterPin } from '../auth/cluster-pin.js';
import { CurrentCaller, type Caller } from '../platform/access/request-principal.js';
import { OpenAiErrorFilter } from '../platform/http/errors/error-filters.js';
import { Catalogue } from './catalogue.js';
import { clusterScope } from './cluster-scope.js';

/**
 * `GET /v1/models` (docs/reference/public-api.md#list-models): what online nodes advertise, installed and loaded. Query strings are
 * ignored.
 */
@Controller('v1/models')
@UseFilters(OpenAiErrorFilter)
export class ModelsController {
  constructor(private readonly catalogue: Catalogue) {}

  @Get()
  @ReadsModels()
  @Header('content-type', 'application/json; charset=utf-8')
  list(@CurrentCaller() caller: Caller, @ClusterPin() pin: ClusterId | null): string {
    return this.catalogue.list(caller.accountId, clusterScope(pin, caller.clusterIds));
  }
}
