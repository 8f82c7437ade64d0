import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { AccountsModule } from '../accounts/accounts.module.js';
import { InstallerModule } from '../nodes/installer/installer.module.js';
import { ApiModule } from '../platform/api/api.module.js';
import { AuditModule } from '../accounts/audit/audit.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { BackupModule } from '../backup/backup.module.js';
import { BootstrapModule } from './bootstrap/bootstrap.module.js';
import { CatalogModule } from '../inventory/catalog/catalog.module.js';
import { ClustersApiModule, ClustersModule } from '../clusters/clusters.module.js';
import { DocumentationModule } from '../openapi/documentation.module.js';
import { EventsModule } from '../events/events.module.js';
import { ExtensionsModule } from '../extensions/extensions.module.js';
import { HealthModule } from './health/health.module.js';
import { HopModule } from '../routing/hop/hop.module.js';
import { InventoryModule } from '../inventory/inventory.module.js';
import { KeysModule } from '../keys/keys.module.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { NodesModule } from '../nodes/nodes.module.js';
import { OperationsModule } from '../operations/operations.module.js';
import { OverviewModule } from '../usage/overview/overview.module.js';
import type { RelayConfig } from '../platform/config/relay-config.js';
import { DatabaseModule } from '../platform/database/database.module.js';
import type { OpenDatabase } from '../platform/database/open-database.js';
import type { DrainRegistry } from '../platform/lifecycle/drain-registry.js';
import { PlatformModule } from '../platform/platform.module.js';
import { PresenceModule } from '../replicas/presence/presence.module.js';
import { ProtocolsModule } from '../protocols/protocols.module.js';
import { ReplicasModule } from '../replicas/replicas.module.js';
import { RoutingModule } from '../routing/routing.module.js';
import { StreamCheckModule } from './stream-check/stream-check.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { WebsiteErrorFilter } from '../website/website-error.filter.js';
import { WebsiteModule } from '../website/website.module.js';

export interface RelayParts {
  readonly config: RelayConfig;
  readonly database: OpenDatabase;
  readonly drain: DrainRegistry;
}

/** Imports all feature modules of the relay, lower layers first. */
@Module({})
export class RelayModule {
  static forRoot({ config, database, drain }: RelayParts): DynamicModule {
    return {
      module: RelayModule,
      imports: [
        PlatformModule.forRoot(config, drain),
        DatabaseModule.forRoot(database),
        ReplicasModule,
        ApiModule,
        AuditModule,
        AccountsModule,
        ExtensionsModule,
        KeysModule,
        ClustersModule,
        UsageModule,
        AuthModule,
        ClustersApiModule,
        NodesModule,
        PresenceModule,
        OperationsModule,
        InventoryModule,
        CatalogModule,
        RoutingModule,
        ProtocolsModule,
        // The bus, presence and the hop: a relay of one process without NATS is alone.
        ...(config.replicated ? [HopModule] : []),
        EventsModule,
        StreamCheckModule,
        OverviewModule,
        BackupModule,
        BootstrapModule,
        HealthModule,
        MetricsModule,
        DocumentationModule,
        InstallerModule,
        WebsiteModule,
      ],
      providers: [{ provide: APP_FILTER, useClass: WebsiteErrorFilter }],
    };
  }
}
