import { Body, Delete, Get, Header, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import { hasRole } from '../platform/access/manager.js';
import { Management } from '../platform/access/access.js';
import { CurrentManager, type Manager } from '../platform/access/identities.js';
import { noKeyLimits } from '../platform/access/caller.js';
import { KeysService } from './keys.service.js';
import { ManagementController } from '../api/management-controller.js';
import { pageOfAll, type PageAnswer } from '../api/pagination/page.js';
import { PageQueryDto } from '../api/pagination/page-query.dto.js';
import { ChangeKeyDto } from './change-key.dto.js';
import { CreateKeyDto } from './create-key.dto.js';
import { limitsOf } from './key-limits.dto.js';
import { keyRecord, newKeyRecord, type KeyRecord, type NewKeyRecord, type RolledKeyRecord } from './key-record.js';
import { overlapsMs, RollKeyDto } from './roll-key.dto.js';

/** Members see and change their own keys, admins all of the account. */
@ManagementController('keys')
export class KeysController {
  constructor(private readonly keys: KeysService) {}

  @Get()
  @Management('member')
  async list(@CurrentManager() manager: Manager, @Query() query: PageQueryDto): Promise<PageAnswer<KeyRecord>> {
    const keys = await this.keys.list(manager.accountId, manager);
    return pageOfAll(keys, query, 'oldest', ({ createdAt, id }) => ({ at: createdAt, id }), keyRecord);
  }

  @Post()
  @Management('member')
  @Header('cache-control', 'no-store')
  async create(@CurrentManager() manager: Manager, @Body() body: CreateKeyDto): Promise<NewKeyRecord> {
    const { name, scopes, cluster_ids, expires_in_seconds, limits } = body;
    const { key, text } = await this.keys.create(
      manager.accountId,
      {
        name,
        scopes: scopes ?? ['inference'],
        clusterIds: cluster_ids ?? null,
        lifetimeMs: expires_in_seconds == null ? null : expires_in_seconds * 1_000,
        limits: { ...noKeyLimits, ...limitsOf(limits ?? {}) },
      },
      manager,
    );
    return newKeyRecord(key, text);
  }

  @Patch(':idOrName')
  @Management('member')
  async change(
    @CurrentManager() manager: Manager,
    @Param('idOrName') idOrName: string,
    @Body() { name, limits }: ChangeKeyDto,
  ): Promise<KeyRecord> {
    // Who manages the account may have limited a member's key; the member must not be the one to lift that.
    if (limits != null && !hasRole(manager.role, 'admin')) throw new FerryError('insufficient_role');
    const change = {
      ...(name === undefined ? {} : { name }),
      ...(limits == null ? {} : { limits: limitsOf(limits) }),
    };
    return keyRecord((await this.keys.change(manager.accountId, idOrName, change, manager)) ?? noSuchKey());
  }

  @Post(':idOrName/roll')
  @Management('member')
  @HttpCode(201)
  @Header('cache-control', 'no-store')
  async roll(
    @CurrentManager() manager: Manager,
    @Param('idOrName') idOrName: string,
    @Body() { overlap }: RollKeyDto,
  ): Promise<RolledKeyRecord> {
    const rolled = (await this.keys.roll(manager.accountId, idOrName, overlapsMs[overlap], manager)) ?? noSuchKey();
    return { ...newKeyRecord(rolled.key, rolled.text), previous: keyRecord(rolled.previous) };
  }

  @Delete(':idOrName')
  @Management('member')
  async revoke(@CurrentManager() manager: Manager, @Param('idOrName') idOrName: string): Promise<KeyRecord> {
    return keyRecord((await this.keys.revoke(manager.accountId, idOrName, manager)) ?? noSuchKey());
  }
}

function noSuchKey(): never {
  throw new FerryError('not_found', 'There is no active API key with this id or name.');
}
