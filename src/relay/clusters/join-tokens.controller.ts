import { Body, Delete, Get, Header, Inject, Param, Post, Query, Req } from '@nestjs/common';
import type { Request } from 'express';
import { ApiBody, ApiOperation, ApiResponse, ApiPropertyOptional } from 'nest-swagger';
import { ferryJoinCommand, powerShellInstallCommand, shellInstallCommand } from './install-commands.js';
import { Requires } from '../platform/access/access.js';
import { CurrentPrincipal, type Principal } from '../platform/access/request-principal.js';
import { JoinTokensService } from './join-tokens.service.js';
import { RELAY_CONFIG, type RelayConfig } from '../platform/config/relay-config.js';
import { reachableAddress } from '../platform/http/reachable-address.js';
import { unixSeconds } from '../platform/api/list-response.js';
import { PageQueryDto } from '../platform/api/pagination/page-query.dto.js';
import { pageOfAll, type PageResponse } from '../platform/api/pagination/page.js';
import { ManagementController } from '../platform/api/management-controller.js';
import { JoinTokenRecord, openJoinTokenRecord, OpenJoinTokenRecord } from './join-token-record.js';
import { ApiErrors, ApiPage } from '../platform/openapi/responses.js';
import { IsOptional, Matches } from 'class-validator';
import { CLUSTER_ID_RULE } from '../platform/api/names.js';
import { CLUSTER_ID, type ClusterId } from '../../kernel/ids.js';

class CreateJoinTokenDto {
  @ApiPropertyOptional({
    type: 'string',
    nullable: true,
    description: 'Cluster of the new node. Default, and for null: `home`.',
  })
  @IsOptional()
  @Matches(CLUSTER_ID, { message: CLUSTER_ID_RULE })
  cluster_id?: ClusterId | null;
}

@ManagementController('join-tokens', 'Clusters')
export class JoinTokensController {
  constructor(
    private readonly joinTokens: JoinTokensService,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {}

  @Get()
  @Requires('nodes:write')
  @ApiOperation({ operationId: 'listJoinTokens', summary: 'List unused join tokens' })
  @ApiPage(OpenJoinTokenRecord, 'Oldest first.')
  async list(
    @CurrentPrincipal() { accountId }: Principal,
    @Query() query: PageQueryDto,
  ): Promise<PageResponse<OpenJoinTokenRecord>> {
    const all = await this.joinTokens.list(accountId);
    return pageOfAll(all, query, 'oldest', ({ createdAt, id }) => ({ at: createdAt, id }), openJoinTokenRecord);
  }

  @Delete(':joinTokenId')
  @Requires('nodes:write')
  @ApiOperation({ operationId: 'revokeJoinToken', summary: 'Revoke an unused join token' })
  @ApiResponse({ status: 200, description: 'The revoked token.', type: OpenJoinTokenRecord })
  @ApiErrors('not_found')
  async revoke(
    @CurrentPrincipal() principal: Principal,
    @Param('joinTokenId') id: string,
  ): Promise<OpenJoinTokenRecord> {
    return openJoinTokenRecord(await this.joinTokens.revoke(principal, id));
  }

  @Post()
  @Requires('nodes:write')
  @Header('cache-control', 'no-store')
  @ApiOperation({
    operationId: 'createJoinToken',
    summary: 'Create a join token',
    description:
      'Enrols one computer within 15 minutes. The token ends when its creator is removed, disabled, signed out everywhere, or no admin any more.',
  })
  @ApiBody({ type: CreateJoinTokenDto, required: false })
  @ApiResponse({
    status: 201,
    description: 'The token, which cannot be retrieved again, and commands that use it.',
    type: JoinTokenRecord,
  })
  @ApiErrors('cluster_not_found', 'recent_sign_in_needed')
  async create(
    @CurrentPrincipal() principal: Principal,
    @Body() body: CreateJoinTokenDto,
    @Req() req: Request,
  ): Promise<JoinTokenRecord> {
    const { id, text, clusterId, expiresAt } = await this.joinTokens.issue(
      principal.accountId,
      body.cluster_id ?? null,
      principal,
    );
    const { url, insecure, reachable, warning } = reachableAddress(this.config, req);
    return {
      join_token_id: id,
      join_token: text,
      expires_at: unixSeconds(expiresAt),
      cluster_id: clusterId,
      command: ferryJoinCommand(url, text, { insecure }),
      install_command: shellInstallCommand(url, text, { insecure }),
      install_command_windows: powerShellInstallCommand(url, text, { insecure }),
      commands: {
        unix: shellInstallCommand(url, text, { insecure, run: true }),
        windows: powerShellInstallCommand(url, text, { insecure, run: true }),
        ferry: ferryJoinCommand(url, text, { insecure, run: true }),
      },
      reachable,
      warning,
    };
  }
}
