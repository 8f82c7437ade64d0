import { Get, Inject } from '@nestjs/common';
import { ApiOperation, ApiResponse } from 'nest-swagger';
import { UsersService } from './users.service.js';
import { Requires } from '../../platform/access/access.js';
import { CurrentPrincipal, type Principal } from '../../platform/access/request-principal.js';
import { RELAY_CONFIG, type RelayConfig } from '../../platform/config/relay-config.js';
import { ManagementController } from '../../platform/api/management-controller.js';
import { whoAmIRecord, WhoAmI } from './who-am-i.js';

@ManagementController('whoami', 'Account')
export class WhoAmIController {
  constructor(
    private readonly users: UsersService,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {}

  @Get()
  @Requires('account:read')
  @ApiOperation({ operationId: 'whoAmI', summary: 'Get the user and the credential of this request' })
  @ApiResponse({ status: 200, description: 'The account, the user and the credential.', type: WhoAmI })
  async whoAmI(@CurrentPrincipal() principal: Principal): Promise<WhoAmI> {
    return whoAmIRecord(this.config, principal, await this.users.self(principal));
  }
}
