import { Body, Delete, Get, Header, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiResponse } from 'nest-swagger';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import { permits } from '../platform/access/permissions.js';
import { Requires } from '../platform/access/access.js';
import { CurrentPrincipal, type Principal } from '../platform/access/request-principal.js';
import { noKeyLimits } from '../platform/access/caller.js';
import { KeysService } from './keys.service.js';
import { ManagementController } from '../platform/api/management-controller.js';
import { pageOfAll, type PageResponse } from '../platform/api/pagination/page.js';
import { PageQueryDto } from '../platform/api/pagination/page-query.dto.js';
import { ChangeKeyDto, CreateKeyDto, limitsOf, overlapsMs, RollKeyDto } from './keys.dto.js';
import { keyRecord, newKeyRecord, KeyRecord, NewKeyRecord, RolledKeyRecord } from './key-record.js';
import { ApiErrors, ApiPage } from '../platform/openapi/responses.js';

/** Members see and change their own keys, admins all keys of the account. */
@ManagementController('keys', 'API keys')
export class KeysController {
  constructor(private readonly keys: KeysService) {}

  @Get()
  @Requires('keys:read')
  @ApiOperation({ operationId: 'listKeys', summary: 'List the API keys' })
  @ApiPage(KeyRecord, 'Oldest first.')
  async list(@CurrentPrincipal() principal: Principal, @Query() query: PageQueryDto): Promise<PageResponse<KeyRecord>> {
    const keys = await this.keys.list(principal.accountId, principal);
    return pageOfAll(keys, query, 'oldest', ({ createdAt, id }) => ({ at: createdAt, id }), keyRecord);
  }

  @Post()
  @Requires('keys:write')
  @Header('cache-control', 'no-store')
  @ApiOperation({ operationId: 'createKey', summary: 'Create an API key' })
  @ApiResponse({
    status: 201,
    description: 'The key record with the key, which cannot be retrieved again.',
    type: NewKeyRecord,
  })
  @ApiErrors('cluster_not_found')
  async create(@CurrentPrincipal() principal: Principal, @Body() body: CreateKeyDto): Promise<NewKeyRecord> {
    const { name, description, scopes, cluster_ids, expires_in_seconds, limits } = body;
    const { key, text } = await this.keys.create(
      principal.accountId,
      {
        name,
        description: description ?? null,
        scopes: scopes ?? ['inference'],
        clusterIds: cluster_ids ?? null,
        lifetimeMs: expires_in_seconds == null ? null : expires_in_seconds * 1_000,
        limits: { ...noKeyLimits, ...limitsOf(limits ?? {}) },
      },
      principal,
    );
    return newKeyRecord(key, text);
  }

  @Patch(':idOrName')
  @Requires('keys:write')
  @ApiOperation({
    operationId: 'changeKey',
    summary: 'Change the name, description or limits of an API key',
    description: 'Only admins can change limits.',
  })
  @ApiParam({ name: 'idOrName', description: 'Id of the key, or name of an active key.' })
  @ApiResponse({ status: 200, description: 'The updated object.', type: KeyRecord })
  @ApiErrors('insufficient_role')
  async change(
    @CurrentPrincipal() principal: Principal,
    @Param('idOrName') idOrName: string,
    @Body() { name, description, limits }: ChangeKeyDto,
  ): Promise<KeyRecord> {
    // A member must not lift a limit that an admin has set.
    if (limits != null && !permits(principal.role, 'keys:manage')) throw new FerryError('insufficient_role');
    const change = {
      ...(name === undefined ? {} : { name }),
      ...(description === undefined ? {} : { description }),
      ...(limits == null ? {} : { limits: limitsOf(limits) }),
    };
    return keyRecord((await this.keys.change(principal.accountId, idOrName, change, principal)) ?? noSuchKey());
  }

  @Post(':idOrName/roll')
  @Requires('keys:write')
  @HttpCode(201)
  @Header('cache-control', 'no-store')
  @ApiOperation({
    operationId: 'rollKey',
    summary: 'Replace an API key',
    description: 'Creates a key with the same rights. The old key stays valid for the time of `overlap`.',
  })
  @ApiParam({ name: 'idOrName', description: 'Id of the key, or name of an active key.' })
  @ApiResponse({
    status: 201,
    description: 'The new key, which cannot be retrieved again, and the old one.',
    type: RolledKeyRecord,
  })
  async roll(
    @CurrentPrincipal() principal: Principal,
    @Param('idOrName') idOrName: string,
    @Body() { overlap }: RollKeyDto,
  ): Promise<RolledKeyRecord> {
    const rolled = (await this.keys.roll(principal.accountId, idOrName, overlapsMs[overlap], principal)) ?? noSuchKey();
    return { ...newKeyRecord(rolled.key, rolled.text), previous: keyRecord(rolled.previous) };
  }

  @Delete(':idOrName')
  @Requires('keys:write')
  @ApiOperation({
    operationId: 'revokeKey',
    summary: 'Revoke an API key',
    description: 'Takes effect at once; running streams end within two seconds.',
  })
  @ApiParam({ name: 'idOrName', description: 'Id of the key, or name of an active key.' })
  @ApiResponse({ status: 200, description: 'The revoked key.', type: KeyRecord })
  async revoke(@CurrentPrincipal() principal: Principal, @Param('idOrName') idOrName: string): Promise<KeyRecord> {
    return keyRecord((await this.keys.revoke(principal.accountId, idOrName, principal)) ?? noSuchKey());
  }
}

function noSuchKey(): never {
  throw new FerryError('not_found', 'There is no active API key with this id or name.');
}
