import { Delete, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiResponse } from 'nest-swagger';
import { unixSeconds, unixSecondsOrNull } from '../../platform/api/list-response.js';
import { ManagementController } from '../../platform/api/management-controller.js';
import { PageQueryDto } from '../../platform/api/pagination/page-query.dto.js';
import { pageOfAll, type PageResponse } from '../../platform/api/pagination/page.js';
import { Requires } from '../../platform/access/access.js';
import { roles, type Role } from '../../platform/access/principal.js';
import { CurrentPrincipal, type Principal } from '../../platform/access/request-principal.js';
import { ApiErrors, ApiPage } from '../../platform/openapi/responses.js';
import type { AccountCliToken } from '../cli-tokens.store.js';
import { AccountCliTokensService } from './account-cli-tokens.service.js';

export class CliTokenRecord {
  @ApiProperty({ enum: ['cli_token'] })
  readonly object: 'cli_token';
  @ApiProperty({ example: 'cli_Rk2v9XwQ4tLs' })
  readonly cli_token_id: string;
  @ApiProperty({ description: 'Name that the command line gave itself.', example: 'laptop' })
  readonly name: string;
  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'Id of its user; null for the token that `ferry up` stores on the computer of the relay.',
    example: 'usr_5d0c7be1f2a34958b6c7d8e9f0a1b2c3',
  })
  readonly user_id: string | null;
  @ApiProperty({ enum: [...roles], description: 'Highest role; that of its user may be lower.' })
  readonly role: Role;
  @ApiProperty({ description: 'Last four characters of the token.', example: '8sWx' })
  readonly last4: string;
  @ApiProperty({ type: 'integer', description: 'Creation time, in seconds since 1970.' })
  readonly created: number;
  @ApiProperty({ type: 'integer', nullable: true, description: 'Expiry, in seconds since 1970; null if it has none.' })
  readonly expires: number | null;
}

/** Every CLI token of the account. A user's own are in `/api/sessions`, too. */
@ManagementController('cli-tokens', 'People')
export class CliTokensController {
  constructor(private readonly tokens: AccountCliTokensService) {}

  @Get()
  @Requires('cli-tokens:write')
  @ApiOperation({ operationId: 'listCliTokens', summary: 'List the CLI tokens of all users' })
  @ApiPage(CliTokenRecord, 'Newest first. Revoked and expired tokens are omitted.')
  async list(
    @CurrentPrincipal() { accountId }: Principal,
    @Query() query: PageQueryDto,
  ): Promise<PageResponse<CliTokenRecord>> {
    const all = await this.tokens.list(accountId);
    return pageOfAll(all, query, 'newest', ({ createdAt, id }) => ({ at: createdAt, id }), cliTokenRecord);
  }

  @Delete(':cliTokenId')
  @Requires('cli-tokens:write')
  @ApiOperation({
    operationId: 'revokeCliToken',
    summary: 'Revoke a CLI token of any user',
    description:
      'With the token of the relay end its console links, invites and join tokens; the next start of `ferry up` makes another one.',
  })
  @ApiResponse({ status: 200, description: 'The revoked token.', type: CliTokenRecord })
  @ApiErrors('not_found')
  async revoke(@CurrentPrincipal() principal: Principal, @Param('cliTokenId') id: string): Promise<CliTokenRecord> {
    return cliTokenRecord(await this.tokens.revoke(principal, id));
  }
}

const cliTokenRecord = ({ id, name, userId, role, last4, createdAt, expiresAt }: AccountCliToken): CliTokenRecord => ({
  object: 'cli_token',
  cli_token_id: id,
  name,
  user_id: userId,
  role,
  last4,
  created: unixSeconds(createdAt),
  expires: unixSecondsOrNull(expiresAt),
});
