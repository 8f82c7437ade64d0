/** The complete relay in this process: on a real socket, with an embedded database in memory and no connected nodes. */
import { Logger, type INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { createReplicaId } from '../../../src/kernel/ids.js';
import { loadSettings } from '../../../src/kernel/settings/settings.js';
import { LinkWsAdapter } from '../../../src/relay/nodes/handshake/link-ws-adapter.js';
import { PasswordHasher } from '../../../src/relay/accounts/passwords/password-hasher.js';
import type { RelayConfig } from '../../../src/relay/platform/config/relay-config.js';
import { relaySettings } from '../../../src/relay/platform/config/relay-settings.js';
import type { OpenDatabase } from '../../../src/relay/platform/database/open-database.js';
import { RelayHttpAdapter } from '../../../src/relay/platform/http/relay-http-adapter.js';
import { DrainRegistry } from '../../../src/relay/platform/lifecycle/drain-registry.js';
import { RelayModule } from '../../../src/relay/app/relay.module.js';
import { openEmbeddedDatabase } from '../db/embedded-database.js';
import { httpServerOptions } from './http-server-options.js';
import { QuickPasswordHasher } from './quick-password-hasher.js';

const HANDSHAKE_MS = 5_000;

export class RelayHarness {
  private constructor(
    readonly app: INestApplication,
    readonly url: string,
    readonly config: RelayConfig,
    private readonly embedded: OpenDatabase,
  ) {}

  static async start(env: Readonly<Record<string, string>> = {}): Promise<RelayHarness> {
    Logger.overrideLogger(false);
    const database = await openEmbeddedDatabase();
    const config: RelayConfig = {
      settings: loadSettings(relaySettings, env).values,
      dataDirectory: '/nonexistent',
      serviceName: 'Ferry',
      ownedBy: 'ferry',
      replicaId: createReplicaId(),
      version: '0.0.0-test',
      primary: null,
      replicated: false,
      secret: 'a secret of the test suite, long enough',
      baseUrl: 'https://relay.test',
    };
    const module = await Test.createTestingModule({
      imports: [RelayModule.forRoot({ config, database, drain: new DrainRegistry() })],
    })
      .overrideProvider(PasswordHasher)
      .useClass(QuickPasswordHasher)
      .compile();
    const app = module.createNestApplication(new RelayHttpAdapter(httpServerOptions), { bodyParser: false });
    app.useLogger(false);
    app.useWebSocketAdapter(new LinkWsAdapter(app, HANDSHAKE_MS));
    await app.listen(0, '127.0.0.1');
    return new RelayHarness(app, await app.getUrl(), config, database);
  }

  get database(): DataSource {
    return this.app.get(DataSource);
  }

  async stop(): Promise<void> {
    await this.app.close();
    await this.embedded.close();
  }
}
