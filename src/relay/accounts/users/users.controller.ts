import { Body, Delete, Get, Header, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { isUserId, type UserId } from '../../../kernel/ids.js';
import { PasswordsService } from './passwords.service.js';
import { UsersService } from './users.service.js';
import { Management } from '../../platform/access/access.js';
import { CurrentPrincipal, type Principal } from '../../platform/access/request-principal.js';
import { ManagementController } from '../../api/management-controller.js';
import { pageOfAll, type PageAnswer } from '../../api/pagination/page.js';
import { PageQueryDto } from '../../api/pagination/page-query.dto.js';
import { ChangeUserDto } from './change-user.dto.js';
import { userRecord, UserRecord } from './user-record.js';
import { ApiOperation, ApiProperty, ApiResponse } from '../../platform/openapi/decorators.js';
import { ApiErrors, ApiPage } from '../../platform/openapi/answers.js';

export class ResetUserRecord extends UserRecord {
  @ApiProperty({ description: 'To be handed over once.', example: '…' })
  readonly temporary_password: string;
}

@ManagementController('users', 'People')
export class UsersController {
  constructor(
    private readonly users: UsersService,
    private readonly passwords: PasswordsService,
  ) {}

  /** Everybody may know with whom they share the account. */
  @Get()
  @Management('member')
  @ApiOperation({ operationId: 'listUsers', summary: 'List the people of the account' })
  @ApiPage(UserRecord, 'Oldest first.')
  async list(
    @CurrentPrincipal() { accountId }: Principal,
    @Query() query: PageQueryDto,
  ): Promise<PageAnswer<UserRecord>> {
    const all = await this.users.list(accountId);
    return pageOfAll(all, query, 'oldest', ({ createdAt, id }) => ({ at: createdAt, id }), userRecord);
  }

  @Patch(':userId')
  @Management('admin')
  @ApiOperation({
    operationId: 'changeUser',
    summary: 'Change the role or name of somebody, or disable them',
    description: 'Nobody gives a role above their own, and the last owner stays one.',
  })
  @ApiResponse({ status: 200, description: 'As changed.', type: UserRecord })
  @ApiErrors('conflict')
  async change(
    @CurrentPrincipal() principal: Principal,
    @Param('userId') id: string,
    @Body() { role, disabled, name }: ChangeUserDto,
  ): Promise<UserRecord> {
    return userRecord(
      await this.users.change(principal, userId(id), {
        role: role ?? undefined,
        disabled: disabled ?? undefined,
        name: name ?? undefined,
      }),
    );
  }

  @Delete(':userId')
  @Management('admin')
  @ApiOperation({ operationId: 'removeUser', summary: 'Remove somebody from the account' })
  @ApiResponse({ status: 200, description: 'Who was removed.', type: UserRecord })
  @ApiErrors('conflict')
  async remove(@CurrentPrincipal() principal: Principal, @Param('userId') id: string): Promise<UserRecord> {
    return userRecord(await this.users.remove(principal, userId(id)));
  }

  /** For somebody who forgot theirs: a password that is good for an hour, and ends everything they are signed in with. */
  @Post(':userId/reset-password')
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @Management('admin')
  @ApiOperation({
    operationId: 'resetPassword',
    summary: 'Make a temporary password for somebody',
    description: 'Good for an hour. Ends everything they are signed in with.',
  })
  @ApiResponse({ status: 200, description: 'To be handed over.', type: ResetUserRecord })
  async resetPassword(@CurrentPrincipal() principal: Principal, @Param('userId') id: string): Promise<ResetUserRecord> {
    const { user, password } = await this.passwords.reset(principal, userId(id));
    return { ...userRecord(user), temporary_password: password };
  }
}

/** @throws FerryError `not_found`, for an id that cannot exist as for one that does not */
function userId(text: string): UserId {
  if (!isUserId(text)) throw new FerryError('not_found', 'There is nobody with this id.');
  return text;
}
