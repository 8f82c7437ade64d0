import { Logger, type DynamicModule, type INestApplication, type Provider, type Type } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { createReplicaId } from '../../../src/kernel/ids.js';
import { loadSettings } from '../../../src/kernel/settings/settings.js';
import { AuthModule } from '../../../src/relay/auth/auth.module.js';
import { AccountsModule } from '../../../src/relay/accounts/accounts.module.js';
import { ExtensionsModule } from '../../../src/relay/extensions/extensions.module.js';
import { ClustersModule } from '../../../src/relay/clusters/clusters.module.js';
import { KeysModule } from '../../../src/relay/keys/keys.module.js';
import { ApiModule } from '../../../src/relay/platform/api/api.module.js';
import { PasswordHasher } from '../../../src/relay/accounts/passwords/password-hasher.js';
import type { RelayConfig } from '../../../src/relay/platform/config/relay-config.js';
import { relaySettings } from '../../../src/relay/platform/config/relay-settings.js';
import { DatabaseModule } from '../../../src/relay/platform/database/database.module.js';
import { FallbackErrorFilter } from '../../../src/relay/platform/http/errors/error-filters.js';
import { RelayHttpAdapter } from '../../../src/relay/platform/http/relay-http-adapter.js';
import { DrainRegistry } from '../../../src/relay/platform/lifecycle/drain-registry.js';
import { PlatformModule } from '../../../src/relay/platform/platform.module.js';
import { openEmbeddedDatabase } from '../db/embedded-database.js';
import { httpServerOptions } from './http-server-options.js';
import { QuickPasswordHasher } from './quick-password-hasher.js';

export interface ManagementHarness {
  readonly app: INestApplication;
  readonly url: string;
  readonly drain: DrainRegistry;
  close(): Promise<void>;
}

export interface ManagementHarnessOptions {
  readonly imports?: readonly DynamicModule[];
  readonly env?: Readonly<Record<string, string>>;
  readonly controllers?: readonly Type[];
  readonly providers?: readonly Provider[];
}

export const PUBLIC_ADDRESS = 'https://relay.test';

/** Accounts, keys, clusters and the guard on a real socket, with an embedded database in memory; without nodes and engines. */
export async function startManagementHarness(options: ManagementHarnessOptions): Promise<ManagementHarness> {
  Logger.overrideLogger(false);
  const database = await openEmbeddedDatabase();
  const drain = new DrainRegistry();
  const module = await Test.createTestingModule({
    imports: [
      DatabaseModule.forRoot(database),
      PlatformModule.forRoot(testConfig(options.env ?? {}), drain),
      AccountsModule,
      ExtensionsModule,
      ClustersModule,
      KeysModule,
      AuthModule,
      ApiModule,
      ...(options.imports ?? []),
    ],
    controllers: [...(options.controllers ?? [])],
    providers: [{ provide: APP_FILTER, useClass: FallbackErrorFilter }, ...(options.providers ?? [])],
  })
    .overrideProvider(PasswordHasher)
    .useClass(QuickPasswordHasher)
    .compile();
  const app = module.createNestApplication(new RelayHttpAdapter(httpServerOptions), { bodyParser: false });
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  return {
    app,
    url,
    drain,
    close: async () => {
      await app.close();
      await database.close();
    },
  };
}

function testConfig(env: Readonly<Record<string, string>>): RelayConfig {
  return {
    settings: loadSettings(relaySettings, env).values,
    dataDirectory: '/nonexistent',
    serviceName: 'Ferry',
    ownedBy: 'ferry',
    replicaId: createReplicaId(),
    version: '0.0.0-test',
    primary: null,
    replicated: false,
    secret: 'a secret of the test suite, long enough',
    baseUrl: PUBLIC_ADDRESS,
  };
}
