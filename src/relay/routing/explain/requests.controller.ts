import { Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import type { AccountId, RequestId } from '../../../kernel/ids.js';
import { CurrentPrincipal, type Principal } from '../../platform/access/request-principal.js';
import { hasRole } from '../../platform/access/principal.js';
import { KeysService } from '../../keys/keys.service.js';
import { RoutingService } from '../routing.service.js';
import { ManagementController } from '../../api/management-controller.js';
import { DEFAULT_PAGE_ITEMS, PageQueryDto } from '../../api/pagination/page-query.dto.js';
import { listAnswer } from '../../api/list-answer.js';
import { pageOfAll, type PageAnswer } from '../../api/pagination/page.js';
import { requestRecord, requestSummary, ExplainedRequestRecord, RequestSummary } from './request-record.js';
import type { LiveRequest } from '../request/live-requests.js';
import { RunningRequestRecord, runningRequestRecord } from './running-request-record.js';
import { ApiErrors, ApiPage } from '../../platform/openapi/answers.js';
import { ApiOperation, ApiParam, ApiResponse } from '../../platform/openapi/decorators.js';

/** Routing explanations of the latest requests. They contain nothing of a prompt. */
@ManagementController('requests', 'Usage, requests and audit')
export class RequestsController {
  constructor(
    private readonly routing: RoutingService,
    private readonly keys: KeysService,
  ) {}

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

  /** Before `:id`, which would take the word for an id. */
  @Get('running')
  @ApiOperation({
    operationId: 'listRunningRequests',
    summary: 'List the requests that are running',
    description: 'Of this relay; another replica has its own.',
  })
  @ApiPage(RunningRequestRecord, 'The longest running first. Never more than one page.')
  async running(@CurrentPrincipal() { accountId }: Principal): Promise<PageAnswer<RunningRequestRecord>> {
    const requests = this.routing.running(accountId);
    const nameOf = await this.keyNames(accountId, requests.length > 0);
    const records = requests.map((request) => runningRequestRecord(request, nameOf(request)));
    return { ...listAnswer(records), has_more: false, next_cursor: null };
  }

  @Post(':id/cancel')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'cancelRequest',
    summary: 'Stop a running request',
    description:
      'Its client gets the error `request_stopped`, its slot is free at once. Members stop requests of their own keys, admins all of the ' +
      'account. Of this relay; another replica has its own.',
  })
  @ApiParam({ name: 'id', description: 'As the header `x-request-id` of the answer said it.' })
  @ApiResponse({ status: 200, description: 'As it was when it was stopped.', type: RunningRequestRecord })
  @ApiErrors('insufficient_role')
  async cancel(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<RunningRequestRecord> {
    const { accountId } = principal;
    const allowed = await this.mayStop(principal);
    const nameOf = await this.keyNames(accountId, true);
    const request = this.routing.running(accountId).find(({ routed }) => routed.context.requestId === id);
    if (request === undefined) throw new FerryError('not_found', 'No request with this id is running.');
    if (!allowed(request)) throw new FerryError('insufficient_role');
    const record = runningRequestRecord(request, nameOf(request));
    this.routing.stop(request);
    return record;
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

  private async mayStop(principal: Principal): Promise<(request: LiveRequest) => boolean> {
    if (hasRole(principal.role, 'admin')) return () => true;
    const { userId } = principal;
    // The chat of the website runs under the id of its user.
    const own = new Set<string>(userId === null ? [] : [userId]);
    for (const { id } of await this.keys.list(principal.accountId, principal)) own.add(id);
    return ({ routed: { keyPublicId } }) => own.has(keyPublicId);
  }

  /** The request log shows the names of all keys to every member, too. */
  private async keyNames(accountId: AccountId, needed: boolean): Promise<(request: LiveRequest) => string | null> {
    const keys = needed ? await this.keys.list(accountId, 'system') : [];
    const names = new Map<string, string>(keys.map(({ id, name }) => [id, name]));
    return ({ routed }) => names.get(routed.keyPublicId) ?? null;
  }
}
