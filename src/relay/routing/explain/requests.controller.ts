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
import { StoppedRequestsStore } from './stopped-requests.store.js';
import { RunningRequestRecord, runningRequestRecord } from './running-request-record.js';
import { ApiErrors, ApiPage } from '../../platform/openapi/answers.js';
import { ApiOperation, ApiParam, ApiResponse } from '../../platform/openapi/decorators.js';

/** Routing explanations of recent requests, without prompts. */
@ManagementController('requests', 'Usage, requests and audit')
export class RequestsController {
  constructor(
    private readonly routing: RoutingService,
    private readonly keys: KeysService,
    private readonly stopped: StoppedRequestsStore,
  ) {}

  @Get()
  @ApiOperation({ operationId: 'listRequests', summary: 'List recent requests' })
  @ApiPage(RequestSummary, 'Newest first, limited to those in the memory of the relay.')
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

  /** Declared before `:id`, which would match it. */
  @Get('running')
  @ApiOperation({
    operationId: 'listRunningRequests',
    summary: 'List running requests',
    description: 'Covers this replica of the relay only.',
  })
  @ApiPage(RunningRequestRecord, 'Longest running first. Always one page.')
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
      'The client gets the error `request_stopped`, and the slot is freed at once. Members can stop requests of their own keys, admins all ' +
      'of the account. Covers this replica of the relay only.',
  })
  @ApiParam({ name: 'id', description: 'Value of the header `x-request-id` of the response.' })
  @ApiResponse({ status: 200, description: 'The request at the time it was stopped.', type: RunningRequestRecord })
  @ApiErrors('insufficient_role')
  async cancel(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<RunningRequestRecord> {
    const { accountId } = principal;
    const allowed = await this.mayStop(principal);
    const nameOf = await this.keyNames(accountId, true);
    const request = this.routing.running(accountId).find(({ routed }) => routed.context.requestId === id);
    if (request === undefined) throw new FerryError('not_found', 'No request with this id is running.');
    if (!allowed(request)) throw new FerryError('insufficient_role');
    const record = runningRequestRecord(request, nameOf(request));
    await this.stopped.record(
      {
        accountId,
        actor: principal,
        action: 'request.cancel',
        object: { kind: 'request', id },
        detail: { model: record.model, key: record.key_name, node: record.node_name },
      },
      () => {
        this.routing.stop(request);
      },
    );
    return record;
  }

  /** `id`: the `x-request-id` header of the response. */
  @Get(':id')
  @ApiOperation({ operationId: 'explainRequest', summary: 'Explain how a request was routed' })
  @ApiParam({ name: 'id', description: 'Value of the header `x-request-id` of the response.' })
  @ApiResponse({ status: 200, description: 'All decisions with their candidates.', type: ExplainedRequestRecord })
  find(@CurrentPrincipal() { accountId }: Principal, @Param('id') id: string): ExplainedRequestRecord {
    // Only a map lookup, so any string is accepted.
    const trace = this.routing.explanations.find(accountId, id as RequestId);
    if (trace === undefined) {
      throw new FerryError('not_found', 'There is no request with this id, or it is no longer kept.');
    }
    return requestRecord(trace);
  }

  private async mayStop(principal: Principal): Promise<(request: LiveRequest) => boolean> {
    if (hasRole(principal.role, 'admin')) return () => true;
    const { userId } = principal;
    // Requests from the chat of the website have the id of the user.
    const own = new Set<string>(userId === null ? [] : [userId]);
    for (const { id } of await this.keys.list(principal.accountId, principal)) own.add(id);
    return ({ routed: { keyPublicId } }) => own.has(keyPublicId);
  }

  /** Not restricted to own keys: the request log also shows the names of all keys to every member. */
  private async keyNames(accountId: AccountId, needed: boolean): Promise<(request: LiveRequest) => string | null> {
    const keys = needed ? await this.keys.list(accountId, 'system') : [];
    const names = new Map<string, string>(keys.map(({ id, name }) => [id, name]));
    return ({ routed }) => names.get(routed.keyPublicId) ?? null;
  }
}
