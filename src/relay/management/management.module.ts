import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { ClustersModule } from '../clusters/clusters.module.js';
import { InventoryModule } from '../inventory/inventory.module.js';
import { KeysModule } from '../keys/keys.module.js';
import { NodesModule } from '../nodes/nodes.module.js';
import { OperationsModule } from '../operations/operations.module.js';
import { AuditController } from './audit/audit.controller.js';
import { RoutingModule } from '../routing/routing.module.js';
import { BootstrapService } from './bootstrap/bootstrap.service.js';
import { ClustersController } from './clusters/clusters.controller.js';
import { DeviceLoginController } from './device-login/device-login.controller.js';
import { InvitesController } from './invites/invites.controller.js';
import { JoinTokensController } from './clusters/join-tokens.controller.js';
import { KeysController } from './keys/keys.controller.js';
import { ManagedModelsController } from './models/models.controller.js';
import { ManagementContractModule } from './management-contract.module.js';
import { NodeDeviceCodesController } from './nodes/device-codes.controller.js';
import { NodesController } from './nodes/nodes.controller.js';
import { OidcController } from './oidc/oidc.controller.js';
import { OperationEventsController } from './operations/operation-events.controller.js';
import { OperationRecords } from './operations/operation-records.js';
import { OperationTargets } from './operations/operation-targets.js';
import { OperationsController } from './operations/operations.controller.js';
import { SessionController } from './session/session.controller.js';
import { RequestsController } from './requests/requests.controller.js';
import { SignInController } from './session/sign-in.controller.js';
import { UsageModule } from '../usage/usage.module.js';
import { UsageController } from './usage/usage.controller.js';
import { LocalResetController } from './users/local-reset.controller.js';
import { UsersController } from './users/users.controller.js';
import { WhoAmIController } from './whoami.controller.js';

@Module({
  imports: [
    ManagementContractModule,
    AuditModule,
    AccountsModule,
    ClustersModule,
    KeysModule,
    NodesModule,
    OperationsModule,
    InventoryModule,
    RoutingModule,
    UsageModule,
  ],
  controllers: [
    SignInController,
    SessionController,
    WhoAmIController,
    UsersController,
    LocalResetController,
    OidcController,
    InvitesController,
    DeviceLoginController,
    ClustersController,
    JoinTokensController,
    KeysController,
    // Before the other: `device-codes` is no id.
    NodeDeviceCodesController,
    NodesController,
    ManagedModelsController,
    // Before the other: `events` is no id.
    OperationEventsController,
    OperationsController,
    RequestsController,
    UsageController,
    AuditController,
  ],
  providers: [BootstrapService, OperationTargets, OperationRecords],
  exports: [BootstrapService],
})
export class ManagementModule {}
