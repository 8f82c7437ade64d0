import { Logger, Module, type DynamicModule, type INestApplication, type Provider, type Type } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { loadSettings } from '../../src/kernel/settings.js';
import { AuthModule } from '../../src/relay/auth/auth.module.js';
import { AccountsModule } from '../../src/relay/accounts/accounts.module.js';
import { ClustersModule } from '../../src/relay/clusters/clusters.module.js';
import { KeysModule } from '../../src/relay/keys/keys.module.js';
import { RELAY_CONFIG, type RelayConfig } from '../../src/relay/platform/config/relay-config.js';
import { relaySettings } from '../../src/relay/platform/config/relay-settings.js';
import { DatabaseModule } from '../../src/relay/platform/database/database.module.js';
import { openDatabase } from '../../src/relay/platform/database/open-database.js';
import { BodyBudget } from '../../src/relay/platform/http/body/body-budget.js';
import { JsonBodyReader } from '../../src/relay/platform/http/body/json-body-reader.js';
import { JsonParser } from '../../src/relay/platform/http/body/json-parser.js';

export interface ManagementApp {
  readonly app: INestApplication;
  readonly url: string;
  close(): Promise<void>;
}

export interface ManagementAppOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly controllers?: readonly Type[];
  readonly providers?: readonly Provider[];
}

export const PUBLIC_ADDRESS = 'https://relay.test';

@Module({})
class Platform {}

/** Bodies are read after the guards, by interceptors. */
class WithoutBodyParser extends ExpressAdapter {
  override registerParserMiddleware(): void {
    // None, as in the relay's own server.
  }
}

/** Accounts, keys, clusters and the guard on a real socket and an embedded database in memory; nodes and engines are not there. */
export async function startManagementApp(options: ManagementAppOptions): Promise<ManagementApp> {
  Logger.overrideLogger(false);
  const database = await openDatabase(
    { embedded: {} },
    { queryTimeoutMs: 10_000, connectTimeoutMs: 10_000, poolSize: 1 },
  );
  const module = await Test.createTestingModule({
    imports: [
      DatabaseModule.forRoot(database),
      platform(options.env ?? {}),
      AccountsModule,
      ClustersModule,
      KeysModule,
      AuthModule,
    ],
    controllers: [...(options.controllers ?? [])],
    providers: [...(options.providers ?? [])],
  }).compile();
  const app = module.createNestApplication(new WithoutBodyParser());
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  return {
    app,
    url,
    close: async () => {
      await app.close();
      await database.close();
    },
  };
}

function platform(env: Readonly<Record<string, string>>): DynamicModule {
  const { values: settings } = loadSettings(relaySettings, env);
  const config: RelayConfig = {
    settings,
    dataDirectory: '/nonexistent',
    serviceName: 'Ferry',
    ownedBy: 'ferry',
    version: '0.0.0-test',
    secret: 'a secret of the test suite, long enough',
    baseUrl: PUBLIC_ADDRESS,
  };
  const providers: Provider[] = [
    { provide: RELAY_CONFIG, useValue: config },
    {
      provide: JsonBodyReader,
      useValue: new JsonBodyReader(
        {
          limitBytes: settings.bodyLimitBytes,
          inflateRatioLimit: settings.bodyInflateRatioLimit,
          uploadFloorBytesPerSecond: 0,
          uploadFloorWindowMs: settings.uploadFloorWindowMs,
          depthLimit: settings.bodyDepthLimit,
          tokenLimit: settings.bodyTokenLimit,
        },
        new BodyBudget({
          totalBytes: settings.bodiesInMemoryBytes,
          perAccountBytes: settings.bodiesInMemoryPerAccountBytes,
        }),
        new JsonParser(settings.bodyParseInlineBytes),
      ),
    },
  ];
  return { module: Platform, global: true, providers, exports: [RELAY_CONFIG, JsonBodyReader] };
}
