import { Module } from '@nestjs/common';
import { AccountsModule } from '../../accounts/accounts.module.js';
import { ClustersModule } from '../../clusters/clusters.module.js';
import { KeysModule } from '../../keys/keys.module.js';
import { BootstrapService } from './bootstrap.service.js';

@Module({
  imports: [AccountsModule, ClustersModule, KeysModule],
  providers: [BootstrapService],
  exports: [BootstrapService],
})
export class BootstrapModule {}
