import { Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiResponse } from 'nest-swagger';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import type { AccountId, RequestId } from '../../../kernel/ids.js';
import { CurrentPrincipal, type Principal } from '../../platform/access/request-principal.js';
import { Requires } from '../../platform/access/access.js';
import { permits } from '../../platform/access/permissions.js';
import { KeysService } from '../../keys/keys.service.js';
import { RoutingService } from '../routing.service.js';
import { DecisionLog } from './decision-log.js';
import { ManagementController } from '../../platform/api/management-controller.js';
import { DEFAULT_PAGE_ITEMS, PageQueryDto } from '../../platform/api/pagination/page-query.dto.js';
import { listResponse } from '../../platform/api/list-response.js';
import { pageOfAll, pageRequest, type PageResponse } from '../../platform/api/pagination/page.js';
import { requestRecord, requestSummary, ExplainedRequestRecord, RequestSummary } from './request-record.js';
import { positionOf, ReplicaRequests } from './replica-requests.js';
import { StoppedRequestsStore } from './stopped-requests.store.js';
import { RunningRequestRecord, runningRequestRecord, type UnnamedRunningRequest } from './running-request-record.js';
import { ApiErrors, ApiPage } from '../../platform/openapi/responses.js';

/** Routing explanations of recent requests, without prompts. */
@ManagementController('requests', 'Usage, requests and audit')
export class RequestsController {
  constructor(
    private readonly routing: RoutingService,
    private readonly decisions: DecisionLog,
    private readonly keys: KeysService,
    private readonly stopped: StoppedRequestsStore,
    private readonly elsewhere: ReplicaRequests,
  ) {}

  @Get()
  @Requires('usage:read')
  @ApiOperation({ operationId: 'listRequests', summary: 'List recent requests' })
  @ApiPage(
    RequestSummary,
    'Newest first, limited to those in the memory of the relay. Of several replicas, those that do not answer in time are missing.',
  )
  async list(
    @CurrentPrincipal() { accountId }: Principal,
    @Query() query: PageQueryDto,
  ): Promise<PageResponse<RequestSummary>> {
    const { limit } = pageRequest(query, DEFAULT_PAGE_ITEMS);
    const here = this.decisions
      .newest(accountId, Infinity)
      .map((trace) => ({ position: positionOf(trace), show: () => requestSummary(trace) }));
    // One more than the page shows that there are more.
    const elsewhere = (await this.elsewhere.recent(accountId, limit + 1, query.cursor)).map((summary) => ({
      position: { at: new Date(summary.decided_at), id: summary.id },
      show: () => summary,
    }));
    return pageOfAll(
      [...here, ...elsewhere],
      query,
      'newest',
      ({ position }) => position,
      ({ show }) => show(),
      DEFAULT_PAGE_ITEMS,
    );
  }

  /** Declared before `:id`, which would match it. */
  @Get('running')
  @Requires('usage:read')
  @ApiOperation({
    operationId: 'listRunningRequests',
    summary: 'List running requests',
    description: 'Of all replicas of the relay; those that do not answer in time are missing.',
  })
  @ApiPage(RunningRequestRecord, 'Longest running first. Always one page.')
  async running(@CurrentPrincipal() { accountId }: Principal): Promise<PageResponse<RunningRequestRecord>> {
    const here = this.routing.running(accountId).map(runningRequestRecord);
    const running = [...here, ...(await this.elsewhere.running(accountId))].sort((a, b) => b.age_ms - a.age_ms);
    const nameOf = await this.keyNames(accountId, running.length > 0);
    const records = running.map((request) => named(request, nameOf));
    return { ...listResponse(records), has_more: false, next_cursor: null };
  }

  /** `keys:write` is for requests of one's own keys; those of others need `requests:manage`. */
  @Post(':id/cancel')
  @Requires('keys:write')
  @HttpCode(200)
  @ApiOperation({
    operationId: 'cancelRequest',
    summary: 'Stop a running request',
    description:
      'The client gets the error `request_stopped`, and the slot is freed at once. Members can stop requests of their own keys, admins all ' +
      'of the account.',
  })
  @ApiParam({ name: 'id', description: 'Value of the header `x-request-id` of the response.' })
  @ApiResponse({ status: 200, description: 'The request at the time it was stopped.', type: RunningRequestRecord })
  @ApiErrors('insufficient_role')
  async cancel(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<RunningRequestRecord> {
    const { accountId } = principal;
    const allowed = await this.mayStop(principal);
    const nameOf = await this.keyNames(accountId, true);
    const requestId = id as RequestId;
    const request = this.routing.findRunning(accountId, requestId);
    const found =
      request === undefined ? await this.elsewhere.findRunning(accountId, requestId) : runningRequestRecord(request);
    if (found === undefined) throw notRunning();
    if (!allowed(found)) throw new FerryError('insufficient_role');
    const record = named(found, nameOf);
    await this.stopped.record(
      {
        accountId,
        actor: principal,
        action: 'request.cancel',
        object: { kind: 'request', id },
        detail: { model: record.model, key: record.key_name, key_id: record.key_id, node: record.node_name },
      },
      async () => {
        if (request !== undefined) this.routing.stop(request);
        else if (!(await this.elsewhere.stop(accountId, requestId))) throw notRunning();
      },
    );
    return record;
  }

  /** `id`: the `x-request-id` header of the response. */
  @Get(':id')
  @Requires('usage:read')
  @ApiOperation({ operationId: 'explainRequest', summary: 'Explain how a request was routed' })
  @ApiParam({ name: 'id', description: 'Value of the header `x-request-id` of the response.' })
  @ApiResponse({ status: 200, description: 'All decisions with their candidates.', type: ExplainedRequestRecord })
  async find(@CurrentPrincipal() { accountId }: Principal, @Param('id') id: string): Promise<ExplainedRequestRecord> {
    // Only a map lookup, so any string is accepted.
    const requestId = id as RequestId;
    const trace = this.decisions.find(accountId, requestId);
    const found = trace === undefined ? await this.elsewhere.explain(accountId, requestId) : requestRecord(trace);
    if (found === undefined) {
      throw new FerryError('not_found', 'There is no request with this id, or it was too long ago.');
    }
    return found;
  }

  private async mayStop(principal: Principal): Promise<(request: UnnamedRunningRequest) => boolean> {
    if (permits(principal.role, 'requests:manage')) return () => true;
    const { userId } = principal;
    // Requests from the chat of the website have the id of the user.
    const own = new Set<string>(userId === null ? [] : [userId]);
    for (const { id } of await this.keys.list(principal.accountId, principal)) own.add(id);
    return ({ key_id: keyId }) => own.has(keyId);
  }

  /** Not restricted to own keys: the request log also shows the names of all keys to every member. */
  private async keyNames(accountId: AccountId, needed: boolean): Promise<(keyId: string) => string | null> {
    const keys = needed ? await this.keys.list(accountId, 'system') : [];
    const names = new Map<string, string>(keys.map(({ id, name }) => [id, name]));
    return (keyId) => names.get(keyId) ?? null;
  }
}

const named = (request: UnnamedRunningRequest, nameOf: (keyId: string) => string | null): RunningRequestRecord => ({
  ...request,
  key_name: nameOf(request.key_id),
});

const notRunning = (): FerryError => new FerryError('not_found', 'No request with this id is running.');
