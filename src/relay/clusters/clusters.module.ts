import { Global, Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { systemClock } from '../../kernel/clock.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ACCOUNT_SETUP, type AccountSetup } from '../accounts/sign-in/account-setup.js';
import { AuditModule } from '../accounts/audit/audit.module.js';
import { AuditTail } from '../accounts/audit/audit-tail.js';
import { RELAY_CONFIG, type RelayConfig } from '../platform/config/relay-config.js';
import { ClusterDirectory } from './cluster-directory.js';
import { ClusterEntity } from './cluster.entity.js';
import { ClustersController } from './clusters.controller.js';
import { ClustersService } from './clusters.service.js';
import { ClustersStore } from './clusters.store.js';
import { JoinTokenEntity } from './join-token.entity.js';
import { JoinTokensController } from './join-tokens.controller.js';
import { JoinTokensService } from './join-tokens.service.js';
import { JoinTokensStore } from './join-tokens.store.js';

const DIRECTORY_LOADS_AT_ONCE = 256;

/**
 * Pinned requests must keep working without the database for as long as keys do
 * (docs/reference/failures.md#database-outage).
 */
const createDirectory = (store: ClustersStore, { settings }: RelayConfig): ClusterDirectory =>
  new ClusterDirectory(
    store,
    {
      freshMs: settings.keyCacheFreshMs,
      staleMs: settings.keyCacheStaleMs,
      maxEntries: settings.keyCacheEntries,
      maxLoads: DIRECTORY_LOADS_AT_ONCE,
    },
    systemClock,
  );

/** Global, because an account is created with its first cluster, and accounts are below clusters. */
@Global()
@Module({
  imports: [AccountsModule, AuditModule, TypeOrmModule.forFeature([ClusterEntity, JoinTokenEntity])],
  providers: [
    ClustersStore,
    ClustersService,
    JoinTokensStore,
    JoinTokensService,
    { provide: ClusterDirectory, inject: [ClustersStore, RELAY_CONFIG], useFactory: createDirectory },
    {
      provide: ACCOUNT_SETUP,
      inject: [ClustersService],
      useFactory:
        (clusters: ClustersService): AccountSetup =>
        (manager, accountId) =>
          clusters.createHome(manager, accountId),
    },
  ],
  exports: [ACCOUNT_SETUP, ClustersService, ClusterDirectory, JoinTokensService],
})
export class ClustersModule implements OnModuleInit {
  constructor(
    private readonly directory: ClusterDirectory,
    private readonly tail: AuditTail,
  ) {}

  onModuleInit(): void {
    this.tail.listen('cluster', ({ accountId }) => {
      this.directory.forget(accountId);
    });
  }
}

/** A module of its own: the others that need clusters do without nodes. */
@Module({
  imports: [ClustersModule],
  controllers: [ClustersController, JoinTokensController],
})
export class ClustersApiModule {}
