import { Header, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiResponse } from 'nest-swagger';
import { ApiErrors } from '../../platform/openapi/responses.js';
import { ManagementController } from '../../platform/api/management-controller.js';
import { Requires } from '../../platform/access/access.js';
import { CurrentPrincipal, type Principal } from '../../platform/access/request-principal.js';
import { parseUserId } from '../users/user.js';
import { userRecord, UserRecord } from '../users/user-record.js';
import { PasswordsService } from './passwords.service.js';

export class ResetUserRecord extends UserRecord {
  @ApiProperty({ description: 'Temporary password for the user. It cannot be retrieved again.', example: '…' })
  readonly temporary_password: string;
}

@ManagementController('users', 'People')
export class ResetPasswordController {
  constructor(private readonly passwords: PasswordsService) {}

  @Post(':userId/reset-password')
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @Requires('users:write')
  @ApiOperation({
    operationId: 'resetPassword',
    summary: 'Set a temporary password for a user',
    description:
      'Valid for one hour. Ends all sessions and CLI tokens of the user. Not for yourself, nor for users of an OpenID provider.',
  })
  @ApiResponse({ status: 200, description: 'The user and the temporary password.', type: ResetUserRecord })
  @ApiErrors('conflict', 'recent_sign_in_needed')
  async resetPassword(@CurrentPrincipal() principal: Principal, @Param('userId') id: string): Promise<ResetUserRecord> {
    const { user, password } = await this.passwords.reset(principal, parseUserId(id));
    return { ...userRecord(user), temporary_password: password };
  }
}
