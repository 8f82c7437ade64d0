import { Body, Delete, Get, Header, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { isUserId, type UserId } from '../../../kernel/ids.js';
import { PasswordsService } from './passwords.service.js';
import { UsersService } from './users.service.js';
import { Management } from '../../platform/access/access.js';
import { CurrentManager, type Manager } from '../../platform/access/identities.js';
import { ManagementController } from '../../api/management-controller.js';
import { pageOfAll, type PageAnswer } from '../../api/pagination/page.js';
import { PageQueryDto } from '../../api/pagination/page-query.dto.js';
import { ChangeUserDto } from './change-user.dto.js';
import { userRecord, type UserRecord } from './user-record.js';

interface ResetUserRecord extends UserRecord {
  /** To be handed over once. */
  readonly temporary_password: string;
}

@ManagementController('users')
export class UsersController {
  constructor(
    private readonly users: UsersService,
    private readonly passwords: PasswordsService,
  ) {}

  /** Everybody may know with whom they share the account. */
  @Get()
  @Management('member')
  async list(@CurrentManager() { accountId }: Manager, @Query() query: PageQueryDto): Promise<PageAnswer<UserRecord>> {
    const all = await this.users.list(accountId);
    return pageOfAll(all, query, 'oldest', ({ createdAt, id }) => ({ at: createdAt, id }), userRecord);
  }

  @Patch(':userId')
  @Management('admin')
  async change(
    @CurrentManager() manager: Manager,
    @Param('userId') id: string,
    @Body() { role, disabled, name }: ChangeUserDto,
  ): Promise<UserRecord> {
    return userRecord(
      await this.users.change(manager, userId(id), {
        role: role ?? undefined,
        disabled: disabled ?? undefined,
        name: name ?? undefined,
      }),
    );
  }

  @Delete(':userId')
  @Management('admin')
  async remove(@CurrentManager() manager: Manager, @Param('userId') id: string): Promise<UserRecord> {
    return userRecord(await this.users.remove(manager, userId(id)));
  }

  /** For somebody who forgot theirs: a password that is good for an hour, and ends everything they are signed in with. */
  @Post(':userId/reset-password')
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @Management('admin')
  async resetPassword(@CurrentManager() manager: Manager, @Param('userId') id: string): Promise<ResetUserRecord> {
    const { user, password } = await this.passwords.reset(manager, userId(id));
    return { ...userRecord(user), temporary_password: password };
  }
}

/** @throws FerryError `not_found`, for an id that cannot exist as for one that does not */
function userId(text: string): UserId {
  if (!isUserId(text)) throw new FerryError('not_found', 'There is nobody with this id.');
  return text;
}
