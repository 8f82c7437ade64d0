import { Body, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiPropertyOptional } from 'nest-swagger';
import { UsersService } from './users.service.js';
import { Requires } from '../../platform/access/access.js';
import { CurrentPrincipal, type Principal } from '../../platform/access/request-principal.js';
import { ManagementController } from '../../platform/api/management-controller.js';
import { pageOfAll, type PageResponse } from '../../platform/api/pagination/page.js';
import { PageQueryDto } from '../../platform/api/pagination/page-query.dto.js';
import { parseUserId } from './user.js';
import { ErasedUserRecord, userRecord, UserRecord } from './user-record.js';
import { ApiErrors, ApiPage } from '../../platform/openapi/responses.js';
import { IsBoolean, IsIn, IsOptional, Matches } from 'class-validator';
import { roles, type Role } from '../../platform/access/principal.js';
import { NAME, NAME_RULE } from '../../platform/api/names.js';

/** Fields that are absent or null stay unchanged. */
class ChangeUserDto {
  @ApiPropertyOptional({
    enum: [...roles],
    nullable: true,
    description: 'Each role includes the ones before it.',
  })
  @IsOptional()
  @IsIn(roles)
  role?: Role | null;

  @ApiPropertyOptional({
    type: 'boolean',
    nullable: true,
    description: 'A disabled user is signed out everywhere and cannot sign in.',
  })
  @IsOptional()
  @IsBoolean()
  disabled?: boolean | null;

  @ApiPropertyOptional({ type: 'string', nullable: true })
  @IsOptional()
  @Matches(NAME, { message: NAME_RULE })
  name?: string | null;
}

@ManagementController('users', 'People')
export class UsersController {
  constructor(private readonly users: UsersService) {}

  /** Visible to all members of the account. */
  @Get()
  @Requires('users:read')
  @ApiOperation({ operationId: 'listUsers', summary: 'List the users' })
  @ApiPage(UserRecord, 'Oldest first.')
  async list(
    @CurrentPrincipal() { accountId }: Principal,
    @Query() query: PageQueryDto,
  ): Promise<PageResponse<UserRecord>> {
    const all = await this.users.list(accountId);
    return pageOfAll(all, query, 'oldest', ({ createdAt, id }) => ({ at: createdAt, id }), userRecord);
  }

  @Patch(':userId')
  @Requires('users:write')
  @ApiOperation({
    operationId: 'changeUser',
    summary: 'Change the role or name of a user, or disable the user',
    description: 'A role above your own cannot be given, and the last owner stays owner.',
  })
  @ApiResponse({ status: 200, description: 'The updated object.', type: UserRecord })
  @ApiErrors('conflict')
  async change(
    @CurrentPrincipal() principal: Principal,
    @Param('userId') id: string,
    @Body() { role, disabled, name }: ChangeUserDto,
  ): Promise<UserRecord> {
    return userRecord(
      await this.users.change(principal, parseUserId(id), {
        role: role ?? undefined,
        disabled: disabled ?? undefined,
        name: name ?? undefined,
      }),
    );
  }

  @Delete(':userId')
  @Requires('users:write')
  @ApiOperation({ operationId: 'removeUser', summary: 'Remove a user from the account' })
  @ApiResponse({ status: 200, description: 'The removed user.', type: UserRecord })
  @ApiErrors('conflict')
  async remove(@CurrentPrincipal() principal: Principal, @Param('userId') id: string): Promise<UserRecord> {
    return userRecord(await this.users.remove(principal, parseUserId(id)));
  }

  @Post(':userId/erase')
  @HttpCode(200)
  @Requires('users:erase')
  @ApiOperation({
    operationId: 'eraseUser',
    summary: 'Replace the name and e-mail address of a removed user by a pseudonym',
    description:
      'In the audit trail and in usage. Ids, times and what was done stay. Only after the user was removed; cannot be undone.',
  })
  @ApiResponse({ status: 200, description: 'The pseudonym.', type: ErasedUserRecord })
  @ApiErrors('conflict')
  async erase(@CurrentPrincipal() principal: Principal, @Param('userId') id: string): Promise<ErasedUserRecord> {
    const userId = parseUserId(id);
    const { pseudonym, events } = await this.users.erase(principal, userId);
    return { object: 'erased_user', user_id: userId, pseudonym, audit_events: events };
  }
}
