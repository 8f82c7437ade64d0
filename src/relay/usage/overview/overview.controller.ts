import { Get, Query } from '@nestjs/common';
import { ApiOperation, ApiResponse } from 'nest-swagger';
import { ManagementController } from '../../platform/api/management-controller.js';
import { reachableOwner } from '../../keys/key-owner.js';
import { NodeHealth } from '../../nodes/health/node-health.js';
import { NodesService } from '../../nodes/nodes.service.js';
import { Requires } from '../../platform/access/access.js';
import { CurrentPrincipal, type Principal } from '../../platform/access/request-principal.js';
import { startOfDay, wallClockOf } from '../series/time-buckets.js';
import { attentionOf } from './attention.js';
import { OverviewQueryDto } from './overview-query.dto.js';
import { attentionRecord, figuresRecord, OverviewRecord } from './overview-record.js';
import { OverviewStore } from './overview.store.js';

const KEY_EXPIRES_WITHIN_DAYS = 7;
const DISK_FULL_WITHIN_DAYS = 7;

@ManagementController('overview', 'Usage, requests and audit')
export class OverviewController {
  constructor(
    private readonly store: OverviewStore,
    private readonly nodes: NodesService,
    private readonly health: NodeHealth,
  ) {}

  @Get()
  @Requires('usage:read')
  @ApiOperation({
    operationId: 'getOverview',
    summary: 'Get an overview of the account',
    description: 'Figures of today and of yesterday up to the same time, online nodes, loaded models, and problems.',
  })
  @ApiResponse({ status: 200, description: 'The overview. Figures lag by a few seconds.', type: OverviewRecord })
  async show(@CurrentPrincipal() principal: Principal, @Query() query: OverviewQueryDto): Promise<OverviewRecord> {
    const { accountId } = principal;
    const now = new Date();
    const wallClock = wallClockOf(query.time_zone ?? 'UTC');
    const today = new Date(startOfDay(now.getTime(), wallClock));
    // Twelve hours before midnight is always yesterday, also on days of 23 and 25 hours.
    const yesterday = new Date(startOfDay(today.getTime() - 43_200_000, wallClock));
    const yesterdayUntil = new Date(Math.min(yesterday.getTime() + (now.getTime() - today.getTime()), today.getTime()));
    const owner = reachableOwner(principal);
    const [nodes, figures, earlier, keys, fullDisks, { hasKey, hasRequest }] = await Promise.all([
      this.nodes.list(accountId),
      this.store.figures(accountId, today, now),
      this.store.figures(accountId, yesterday, yesterdayUntil),
      this.store.expiringKeys(accountId, owner, KEY_EXPIRES_WITHIN_DAYS),
      this.store.fullDisks(accountId, DISK_FULL_WITHIN_DAYS),
      this.store.hasKeyAndRequest(accountId),
    ]);
    const loaded = new Set(
      nodes.flatMap(({ models }) => models.filter(({ state }) => state === 'loaded').map(({ selector }) => selector)),
    );
    const attention = attentionOf({
      nodes,
      healthOf: ({ nodeId }) => this.health.worstOf(nodeId),
      departureOf: (node) => this.nodes.departureOf(node),
      keys,
      fullDisks,
      nowMs: now.getTime(),
    });
    return {
      object: 'overview',
      today: figuresRecord(today, now, figures),
      yesterday: figuresRecord(yesterday, yesterdayUntil, earlier),
      nodes: { online: nodes.filter(({ online }) => online).length, total: nodes.length },
      models_loaded: loaded.size,
      attention: attention.map(attentionRecord),
      checklist: {
        has_node: nodes.some(({ state }) => state === 'active'),
        has_loaded_model: loaded.size > 0,
        has_key: hasKey,
        has_request: hasRequest,
      },
    };
  }
}
