/** Enrolment, the link and the inventory of a relay on a real socket, with an embedded database that survives a restart. */
import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import type { DynamicModule, INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { WebSocket, type ClientOptions } from 'ws';
import { systemClock } from '../../../src/kernel/clock.js';
import { createReplicaId, type AccountId, type ClusterId, type NodeId } from '../../../src/kernel/ids.js';
import { loadSettings } from '../../../src/kernel/settings/settings.js';
import { defaultLinkLimits } from '../../../src/link/link-limits.js';
import type {
  CommandMessage,
  HelloMessage,
  InventoryMessage,
  ModelReport,
  ReadyMessage,
} from '../../../src/link/messages.js';
import { NodeLinkSession } from '../../../src/link/session/node-session.js';
import { AccountEntity } from '../../../src/relay/accounts/account.entity.js';
import { ApiModule } from '../../../src/relay/platform/api/api.module.js';
import { ExtensionsModule } from '../../../src/relay/extensions/extensions.module.js';
import { AuthModule } from '../../../src/relay/auth/auth.module.js';
import { ClustersService } from '../../../src/relay/clusters/clusters.service.js';
import { JoinTokensService } from '../../../src/relay/clusters/join-tokens.service.js';
import { InventoryModule } from '../../../src/relay/inventory/inventory.module.js';
import { KeysModule } from '../../../src/relay/keys/keys.module.js';
import { KeysService } from '../../../src/relay/keys/keys.service.js';
import { LinkWsAdapter } from '../../../src/relay/nodes/handshake/link-ws-adapter.js';
import { linkMessage } from '../../../src/relay/nodes/handshake/node-signature.js';
import { OtherReplicasModule } from '../../../src/relay/replicas/presence/other-replicas.module.js';
import { NodesModule } from '../../../src/relay/nodes/nodes.module.js';
import type { RelayConfig } from '../../../src/relay/platform/config/relay-config.js';
import { relaySettings } from '../../../src/relay/platform/config/relay-settings.js';
import { DatabaseModule } from '../../../src/relay/platform/database/database.module.js';
import type { OpenDatabase } from '../../../src/relay/platform/database/open-database.js';
import { DrainRegistry } from '../../../src/relay/platform/lifecycle/drain-registry.js';
import { RelayHttpAdapter } from '../../../src/relay/platform/http/relay-http-adapter.js';
import { PlatformModule } from '../../../src/relay/platform/platform.module.js';
import { httpServerOptions } from './http-server-options.js';
import { openEmbeddedDatabase } from '../db/embedded-database.js';

export const accountId = 'acc_mine' as AccountId;

export class NodesHarness {
  app!: INestApplication;
  url!: string;

  private constructor(
    private readonly database: OpenDatabase,
    private readonly env: Readonly<Record<string, string>>,
  ) {}

  static async start(env: Readonly<Record<string, string>> = {}): Promise<NodesHarness> {
    const relay = new NodesHarness(await openEmbeddedDatabase(), env);
    await relay.listen();
    await relay.app.get(DataSource).manager.insert(AccountEntity, { id: accountId, name: 'mine' });
    await relay.app.get(ClustersService).home(accountId);
    return relay;
  }

  get host(): string {
    return new URL(this.url).host;
  }

  /** Restarts with empty memory on the same data. */
  async restart(): Promise<void> {
    await this.app.close();
    await this.listen();
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.database.close();
  }

  async joinToken(clusterId?: ClusterId): Promise<string> {
    return (await this.app.get(JoinTokensService, { strict: false }).issue(accountId, clusterId ?? null, 'system'))
      .text;
  }

  async apiKey(clusterIds: readonly ClusterId[] | null = null): Promise<string> {
    const request = {
      name: `key ${String(Math.random())}`,
      scopes: ['inference' as const],
      clusterIds,
      lifetimeMs: null,
    };
    return (await this.app.get(KeysService, { strict: false }).create(accountId, request, 'system')).text;
  }

  private async listen(): Promise<void> {
    const module = await Test.createTestingModule({
      imports: [
        DatabaseModule.forRoot(this.database),
        platform(this.env),
        ApiModule,
        ExtensionsModule,
        AuthModule,
        KeysModule,
        OtherReplicasModule,
        NodesModule,
        InventoryModule,
      ],
    }).compile();
    this.app = module.createNestApplication(new RelayHttpAdapter(httpServerOptions), { bodyParser: false });
    this.app.useLogger(false);
    this.app.useWebSocketAdapter(new LinkWsAdapter(this.app, 5_000));
    await this.app.listen(0, '127.0.0.1');
    this.url = await this.app.getUrl();
  }
}

/** A computer with a key: enrols, signs and connects like the agent. */
export class TestComputer {
  readonly keys = generateKeyPairSync('ed25519');
  nodeId!: NodeId;
  clusterId!: ClusterId;

  constructor(readonly relay: NodesHarness) {}

  static async enrolled(relay: NodesHarness, clusterId?: ClusterId): Promise<TestComputer> {
    const computer = new TestComputer(relay);
    const response = await computer.enrol(await relay.joinToken(clusterId));
    if (response.status !== 201) throw new Error(await response.text());
    const result = (await response.json()) as { node_id: NodeId; cluster_id: ClusterId };
    computer.nodeId = result.node_id;
    computer.clusterId = result.cluster_id;
    return computer;
  }

  enrol(joinToken: string, changes: Readonly<Record<string, unknown>> = {}): Promise<Response> {
    const tokenHash = createHash('sha256').update(joinToken).digest();
    const message = Buffer.concat([Buffer.from('ferry-node-enrol-v1\0'), tokenHash]);
    const body = {
      join_token: joinToken,
      public_key: this.keys.publicKey.export({ format: 'jwk' }).x,
      signature: sign(null, message, this.keys.privateKey).toString('base64url'),
      node_name: 'desk',
      platform: 'linux-x64',
      agent_version: '0.1.0',
      ...changes,
    };
    return fetch(`${this.relay.url}/link/enrol`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  async authorization(privateKey: KeyObject = this.keys.privateKey): Promise<string> {
    const { nonce } = (await (await fetch(`${this.relay.url}/link/challenge`)).json()) as { nonce: string };
    const signature = sign(null, linkMessage(this.relay.host, nonce, this.nodeId), privateKey);
    return `FerryNode id=${this.nodeId},nonce=${nonce},sig=${signature.toString('base64url')}`;
  }

  async dial(processId = 'p1'): Promise<TestLink> {
    return TestLink.open(this.relay, await this.authorization(), processId);
  }
}

export class TestLink {
  readonly session: NodeLinkSession;
  readonly ready: Promise<ReadyMessage>;
  readonly closed: Promise<number>;
  readonly commands: CommandMessage[] = [];
  private version = 0;

  private constructor(
    readonly socket: WebSocket,
    processId: string,
  ) {
    this.closed = once(socket, 'close').then(([code]) => code as number);
    let admit: (message: ReadyMessage) => void = () => undefined;
    this.ready = new Promise((resolve) => (admit = resolve));
    this.session = new NodeLinkSession({
      transport: {
        send: (batch) => {
          socket.send(batch);
        },
        ping: () => {
          socket.ping();
        },
        close: (code, reason) => {
          socket.close(code, reason);
        },
        terminate: () => {
          socket.terminate();
        },
      },
      clock: systemClock,
      limits: defaultLinkLimits,
      handlers: {
        onReady: admit,
        onOpen: () => {
          throw new Error('no request was expected');
        },
        onCommand: (message) => this.commands.push(message),
        onGoAway: () => undefined,
        onClosed: () => undefined,
      },
    });
    socket.on('message', (message: Buffer, isBinary: boolean) => {
      this.session.receive(message, isBinary);
    });
    this.session.hello(helloOf(processId));
  }

  static async open(relay: NodesHarness, authorization: string, processId: string): Promise<TestLink> {
    const socket = dialSocket(relay, { headers: { authorization } });
    await once(socket, 'open');
    const link = new TestLink(socket, processId);
    await Promise.race([link.ready, link.closed]);
    return link;
  }

  report(...models: ModelReport[]): void {
    this.version += 1;
    const message: InventoryMessage = { version: this.version, full: true, more: false, models, removed: [] };
    this.session.sendInventory(message);
  }
}

export const dialSocket = (relay: NodesHarness, options: ClientOptions = {}, protocol = 'ferry.link.v1'): WebSocket =>
  new WebSocket(`ws://${relay.host}/link`, protocol, options);

/** The status of the response to an upgrade: 101 or a refusal. */
export async function handshakeStatus(socket: WebSocket): Promise<number> {
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('open', () => {
      socket.terminate();
      resolve(101);
    });
    socket.on('unexpected-response', (_request, response) => {
      response.resume();
      socket.removeAllListeners('error').on('error', () => undefined);
      socket.terminate();
      resolve(response.statusCode ?? 0);
    });
  });
}

export const helloOf = (process_id: string): HelloMessage => ({
  protocol_versions: [1],
  agent_version: '0.1.0',
  process_id,
  node_name: 'desk',
  platform: 'linux-x64',
  engines: [{ name: 'llamacpp', kind: 'llamacpp', version: '1.0' }],
  features: [],
});

function platform(env: Readonly<Record<string, string>>): DynamicModule {
  const { values: settings } = loadSettings(relaySettings, env);
  const config: RelayConfig = {
    settings,
    dataDirectory: '/nonexistent',
    serviceName: 'Ferry',
    ownedBy: 'ferry',
    replicaId: createReplicaId(),
    version: '0.0.0-test',
    primary: null,
    replicated: false,
    secret: 'a secret of the test suite, long enough',
    baseUrl: 'http://127.0.0.1:8787',
  };
  return PlatformModule.forRoot(config, new DrainRegistry());
}
