import { Header, HttpCode, Param, Post } from '@nestjs/common';
import { ManagementController } from '../../api/management-controller.js';
import { Management } from '../../platform/access/access.js';
import { CurrentPrincipal, type Principal } from '../../platform/access/request-principal.js';
import { ApiOperation, ApiProperty, ApiResponse } from '../../platform/openapi/decorators.js';
import { parseUserId } from '../users/user.js';
import { userRecord, UserRecord } from '../users/user-record.js';
import { PasswordsService } from './passwords.service.js';

export class ResetUserRecord extends UserRecord {
  @ApiProperty({ description: 'To be handed over once.', example: '…' })
  readonly temporary_password: string;
}

@ManagementController('users', 'People')
export class ResetPasswordController {
  constructor(private readonly passwords: PasswordsService) {}

  /** Sets a temporary password that is valid for an hour, and ends all sessions and CLI tokens of the user. */
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
    const { user, password } = await this.passwords.reset(principal, parseUserId(id));
    return { ...userRecord(user), temporary_password: password };
  }
}
