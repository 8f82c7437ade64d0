import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ClustersModule } from '../clusters/clusters.module.js';
import { InventoryModule } from '../inventory/inventory.module.js';
import { KeysModule } from '../keys/keys.module.js';
import { NodesModule } from '../nodes/nodes.module.js';
import { BootstrapService } from './bootstrap/bootstrap.service.js';
import { ClustersController } from './clusters/clusters.controller.js';
import { JoinTokensController } from './clusters/join-tokens.controller.js';
import { KeysController } from './keys/keys.controller.js';
import { ManagedModelsController } from './models/models.controller.js';
import { NodesController } from './nodes/nodes.controller.js';
import { WhoAmIController } from './whoami.controller.js';

@Module({
  imports: [AccountsModule, ClustersModule, KeysModule, NodesModule, InventoryModule],
  controllers: [
    WhoAmIController,
    ClustersController,
    JoinTokensController,
    KeysController,
    NodesController,
    ManagedModelsController,
  ],
  providers: [BootstrapService],
  exports: [BootstrapService],
})
export class ManagementModule {}
