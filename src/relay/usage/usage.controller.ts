import { Get, Param, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ApiOperation, ApiParam, ApiResponse } from 'nest-swagger';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import { Requires } from '../platform/access/access.js';
import { CurrentPrincipal, type Principal } from '../platform/access/request-principal.js';
import { RequestLogStore } from './request-log.store.js';
import { UsageTotalsStore } from './usage-totals.store.js';
import { ManagementController } from '../platform/api/management-controller.js';
import { csvLine } from '../platform/api/csv-line.js';
import { pageResponse, pageRequest, type PageResponse } from '../platform/api/pagination/page.js';
import { momentOf } from '../platform/api/moment.js';
import { RequestLogQueryDto } from './request-log-query.dto.js';
import { countedColumns } from './counted-columns.js';
import { UsageQueryDto } from './usage-query.dto.js';
import {
  loggedRequestRecord,
  usageRecord,
  LoggedRequestRecord,
  UsageRecord,
  type UsageGroupRecord,
} from './usage-record.js';
import { ApiAlternatives, ApiPage } from '../platform/openapi/responses.js';

const HOUR_MS = 3_600_000;
/** Enough for a year of hours. */
const MAX_GROUPS = 10_000;

/** All members of an account see all usage of the account. */
@ManagementController('usage', 'Usage, requests and audit')
export class UsageController {
  constructor(
    private readonly totals: UsageTotalsStore,
    private readonly requests: RequestLogStore,
  ) {}

  @Get()
  @Requires('usage:read')
  @ApiOperation({
    operationId: 'getUsage',
    summary: 'Get usage totals',
    description: 'From hourly sums, with a lag of a few seconds. CSV also with `Accept: text/csv`.',
  })
  @ApiResponse({ status: 200, description: 'One row per group, and the total.', type: UsageRecord })
  @ApiAlternatives({
    'text/csv':
      'key,name,requests,completed,failed,cancelled,timed_out,rejected,input_tokens,cached_tokens,output_tokens,reasoning_tokens,estimated_requests\r\nkey_q3Zr8TnV0aLk,my app,3,2,0,1,0,0,1200,400,800,100,0\r\n',
  })
  async summary(
    @CurrentPrincipal() { accountId }: Principal,
    @Query() query: UsageQueryDto,
    @Req() req: Request,
    @Res({ passthrough: true }) res: Response,
  ): Promise<UsageRecord | string> {
    const nowMs = Date.now();
    const since = hourOf(momentOf(query.since ?? '7d', 'since', nowMs));
    const until = query.until === undefined ? new Date(nowMs) : momentOf(query.until, 'until', nowMs);
    if (until <= since) throw new FerryError('invalid_request', 'until must be later than since.', { param: 'until' });
    const usageQuery = {
      accountId,
      by: query.by ?? 'model',
      since,
      until,
      clusterId: query.cluster_id ?? null,
      limit: MAX_GROUPS,
    };
    const record = usageRecord(usageQuery, await this.totals.totals(usageQuery));
    res.vary('Accept');
    if (query.format !== 'csv' && (query.format === 'json' || !prefersCsv(req))) return record;
    res.type('text/csv; charset=utf-8; header=present');
    res.set('Content-Disposition', `attachment; filename="usage-by-${usageQuery.by}.csv"`);
    return usageCsv(record.data);
  }

  @Get('requests')
  @Requires('usage:read')
  @ApiOperation({ operationId: 'listUsageRequests', summary: 'List the request log' })
  @ApiPage(LoggedRequestRecord, 'Newest first.')
  async log(
    @CurrentPrincipal() { accountId }: Principal,
    @Query() query: RequestLogQueryDto,
  ): Promise<PageResponse<LoggedRequestRecord>> {
    const nowMs = Date.now();
    const page = pageRequest(query);
    const filter = {
      since: query.since === undefined ? null : momentOf(query.since, 'since', nowMs),
      until: query.until === undefined ? null : momentOf(query.until, 'until', nowMs),
      keyId: query.key_id ?? null,
      nodeId: query.node_id ?? null,
      clusterId: query.cluster_id ?? null,
      model: query.model ?? null,
      requestId: query.request_id ?? null,
      dialect: query.dialect ?? null,
      outcome: query.outcome ?? null,
    };
    const after = page.after === null ? null : { startedAt: page.after.at, id: page.after.id };
    const found = await this.requests.list(accountId, filter, page.limit + 1, after);
    return pageResponse(found, page, ({ started_at, id }) => ({ at: started_at, id }), loggedRequestRecord);
  }

  @Get('requests/:id')
  @Requires('usage:read')
  @ApiOperation({ operationId: 'getUsageRequest', summary: 'Get one request of the log' })
  @ApiParam({ name: 'id', description: 'Value of the header `x-request-id` of the response.' })
  @ApiResponse({ status: 200, description: 'Metadata of the request.', type: LoggedRequestRecord })
  async find(@CurrentPrincipal() { accountId }: Principal, @Param('id') id: string): Promise<LoggedRequestRecord> {
    const request = await this.requests.find(accountId, id);
    if (request === undefined)
      throw new FerryError(
        'not_found',
        'The log has no request with this id; recent requests appear after a few seconds.',
      );
    return loggedRequestRecord(request);
  }
}

const hourOf = (moment: Date): Date => new Date(Math.floor(moment.getTime() / HOUR_MS) * HOUR_MS);

const prefersCsv = (req: Request): boolean => req.accepts(['application/json', 'text/csv']) === 'text/csv';

const csvColumns = ['key', 'name', ...countedColumns] as const satisfies readonly (keyof UsageGroupRecord)[];

/** The first line has the JSON field names. */
const usageCsv = (groups: readonly UsageGroupRecord[]): string =>
  [csvColumns, ...groups.map((group) => csvColumns.map((column) => group[column]))].map(csvLine).join('');
