import { Get, Param, Query } from '@nestjs/common';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import type { RequestId } from '../../../kernel/ids.js';
import { CurrentPrincipal, type Principal } from '../../platform/access/request-principal.js';
import { RoutingService } from '../routing.service.js';
import { ManagementController } from '../../api/management-controller.js';
import { DEFAULT_PAGE_ITEMS, PageQueryDto } from '../../api/pagination/page-query.dto.js';
import { pageOfAll, type PageAnswer } from '../../api/pagination/page.js';
import { requestRecord, requestSummary, ExplainedRequestRecord, RequestSummary } from './request-record.js';
import { ApiPage } from '../../platform/openapi/answers.js';
import { ApiOperation, ApiParam, ApiResponse } from '../../platform/openapi/decorators.js';

/** Routing explanations of the latest requests. They contain nothing of a prompt. */
@ManagementController('requests', 'Usage, requests and audit')
export class RequestsController {
  constructor(private readonly routing: RoutingService) {}

  /** Newest first. */
  @Get()
  @ApiOperation({ operationId: 'listRequests', summary: 'List the requests that can be explained' })
  @ApiPage(RequestSummary, 'Newest first, as many as the relay remembers.')
  list(@CurrentPrincipal() { accountId }: Principal, @Query() query: PageQueryDto): PageAnswer<RequestSummary> {
    return pageOfAll(
      this.routing.explanations.newest(accountId, Infinity),
      query,
      'newest',
      ({ decidedAtWallMs, id }) => ({ at: new Date(decidedAtWallMs), id }),
      requestSummary,
      DEFAULT_PAGE_ITEMS,
    );
  }

  /** `id`: the `x-request-id` header of the response. */
  @Get(':id')
  @ApiOperation({ operationId: 'explainRequest', summary: 'Explain where a request went' })
  @ApiParam({ name: 'id', description: 'As the header `x-request-id` of the answer said it.' })
  @ApiResponse({ status: 200, description: 'Every decision with its candidates.', type: ExplainedRequestRecord })
  find(@CurrentPrincipal() { accountId }: Principal, @Param('id') id: string): ExplainedRequestRecord {
    // Only a map lookup, so any string is accepted.
    const trace = this.routing.explanations.find(accountId, id as RequestId);
    if (trace === undefined) {
      throw new FerryError('not_found', 'There is no request with this id, or it was too long ago.');
    }
    return requestRecord(trace);
  }
}
