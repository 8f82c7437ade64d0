import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ClustersModule } from '../clusters/clusters.module.js';
import { KeysModule } from '../keys/keys.module.js';
import { AccessGuard } from './access.guard.js';
import { ClusterPinPipe } from './cluster-pin.js';
import { PrincipalVerifier } from './principal-verifier.js';

/** Global, because the guard is, and because `@ClusterPin()` is used in other features. */
@Global()
@Module({
  imports: [AccountsModule, KeysModule, ClustersModule],
  providers: [PrincipalVerifier, ClusterPinPipe, AccessGuard, { provide: APP_GUARD, useExisting: AccessGuard }],
  exports: [ClustersModule, ClusterPinPipe, AccessGuard],
})
export class AuthModule {}
