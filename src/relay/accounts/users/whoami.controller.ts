import { Get, Inject } from '@nestjs/common';
import { UsersService } from './users.service.js';
import { Management } from '../../platform/access/access.js';
import { CurrentManager, type Manager } from '../../platform/access/identities.js';
import { RELAY_CONFIG, type RelayConfig } from '../../platform/config/relay-config.js';
import { ManagementController } from '../../api/management-controller.js';
import { whoAmIRecord, type WhoAmI } from './who-am-i.js';

@ManagementController('whoami')
export class WhoAmIController {
  constructor(
    private readonly users: UsersService,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {}

  @Get()
  @Management('member')
  async whoAmI(@CurrentManager() manager: Manager): Promise<WhoAmI> {
    return whoAmIRecord(this.config, manager, await this.users.self(manager));
  }
}
