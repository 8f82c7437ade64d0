import { Get, Query } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiResponse } from 'nest-swagger';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { ManagementController } from '../../platform/api/management-controller.js';
import { Requires } from '../../platform/access/access.js';
import { CurrentPrincipal, type Principal } from '../../platform/access/request-principal.js';
import { momentOf } from '../../platform/api/moment.js';
import { SeriesQueryDto } from './series-query.dto.js';
import { SeriesLatencyRecord, UsageSeriesRecord, usageSeriesRecord } from './series-record.js';
import { bucketsBetween } from './time-buckets.js';
import { UsageSeriesStore } from './usage-series.store.js';

/** Data for the charts of the website. */
@ManagementController('usage/series', 'Usage, requests and audit')
export class UsageSeriesController {
  constructor(private readonly store: UsageSeriesStore) {}

  @Get()
  @Requires('usage:read')
  @ApiOperation({
    operationId: 'getUsageSeries',
    summary: 'Get usage over time',
    description: 'Requests and tokens by hour or day, with latency and errors. With a lag of a few seconds.',
  })
  @ApiExtraModels(SeriesLatencyRecord)
  @ApiResponse({ status: 200, description: 'One value per bucket.', type: UsageSeriesRecord })
  async series(
    @CurrentPrincipal() { accountId }: Principal,
    @Query() query: SeriesQueryDto,
  ): Promise<UsageSeriesRecord> {
    const nowMs = Date.now();
    const { bucket = 'day', time_zone: timeZone = 'UTC' } = query;
    const since = momentOf(query.since ?? '7d', 'since', nowMs);
    const until = query.until === undefined ? new Date(nowMs) : momentOf(query.until, 'until', nowMs);
    if (until <= since) throw new FerryError('invalid_request', 'until must be later than since.', { param: 'until' });
    const usageQuery = {
      accountId,
      by: query.by ?? 'model',
      buckets: bucketsBetween(since, until, bucket, timeZone),
      until,
      keyId: query.key_id ?? null,
      nodeId: query.node_id ?? null,
      clusterId: query.cluster_id ?? null,
      model: query.model ?? null,
    };
    return usageSeriesRecord(usageQuery, { bucket, timeZone }, await this.store.series(usageQuery));
  }
}
