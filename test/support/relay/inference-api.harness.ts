/** The inference routes on a real socket, with fake nodes and without a database: every caller is accepted. */
import { Logger, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { IncomingMessage, Server } from 'node:http';
import { Subject } from 'rxjs';
import { systemClock } from '../../../src/kernel/clock.js';
import type { ApiKeyId, ClusterId, NodeId } from '../../../src/kernel/ids.js';
import { loadSettings } from '../../../src/kernel/settings/settings.js';
import { rememberCaller } from '../../../src/relay/platform/access/request-principal.js';
import { AccessGuard } from '../../../src/relay/auth/access.guard.js';
import { ClusterPinPipe } from '../../../src/relay/auth/cluster-pin.js';
import { ClusterDirectory } from '../../../src/relay/clusters/cluster-directory.js';
import { ExtensionState } from '../../../src/relay/extensions/extension-state.js';
import { Catalogue } from '../../../src/relay/inventory/catalogue.js';
import { KeyRevocations } from '../../../src/relay/keys/key-revocations.js';
import { NodeHealth } from '../../../src/relay/nodes/health/node-health.js';
import type { NodeChange } from '../../../src/relay/nodes/registry/online-node.js';
import { ReachableNodes } from '../../../src/relay/nodes/registry/reachable-nodes.js';
import { noKeyLimits } from '../../../src/relay/platform/access/caller.js';
import { RELAY_CONFIG } from '../../../src/relay/platform/config/relay-config.js';
import { relaySettings } from '../../../src/relay/platform/config/relay-settings.js';
import { BodyBudget } from '../../../src/relay/platform/http/body/body-budget.js';
import { JsonBodyReader } from '../../../src/relay/platform/http/body/json-body-reader.js';
import { JsonParser } from '../../../src/relay/platform/http/body/json-parser.js';
import { RelayHttpAdapter } from '../../../src/relay/platform/http/relay-http-adapter.js';
import { DrainRegistry } from '../../../src/relay/platform/lifecycle/drain-registry.js';
import { OverloadGuard } from '../../../src/relay/platform/lifecycle/overload-guard.js';
import { TimerWheel } from '../../../src/relay/platform/timing/timer-wheel.js';
import { RelayTraces } from '../../../src/relay/platform/tracing/relay-traces.js';
import { InferenceCallPipe } from '../../../src/relay/protocols/inference-call.js';
import { InferenceResponder } from '../../../src/relay/protocols/inference-responder.service.js';
import { InferenceRoutes } from '../../../src/relay/protocols/inference-routes.js';
import { ExplanationRecorder } from '../../../src/relay/routing/explain/explanation-recorder.js';
import { OutcomeRecorder } from '../../../src/relay/routing/request/outcome-recorder.js';
import type { OutcomeReport } from '../../../src/relay/routing/request/outcome-report.js';
import { ConcurrencyQueries } from '../../../src/relay/platform/limits/concurrency-queries.js';
import { routingProviders } from '../../../src/relay/routing/routing-providers.js';
import { RoutingService } from '../../../src/relay/routing/routing.service.js';
import { httpServerOptions } from './http-server-options.js';
import { HarnessStream } from './harness-stream.js';
import { account, clusterA, FakeFleet, FakeNode, type NodeTraits } from './routing-fleet.js';

export const apiKey = 'key_test' as ApiKeyId;

const everybodyIsKnown: Pick<AccessGuard, 'admit'> = {
  admit(request: IncomingMessage): boolean {
    rememberCaller(request, {
      accountId: account,
      keyPublicId: apiKey,
      scopes: ['inference'],
      clusterIds: null,
      limits: noKeyLimits,
    });
    return true;
  },
};

@Module({})
class Surroundings {}

export class InferenceApiHarness {
  /** `FERRY_SECRET` of this relay. */
  readonly secret = 'the secret of an inference app in a test';
  readonly streams: HarnessStream[] = [];
  readonly outcomes: OutcomeReport[] = [];
  readonly changes = new Subject<NodeChange>();
  readonly revocations = new KeyRevocations();
  readonly drain = new DrainRegistry();
  readonly wheel = new TimerWheel();
  readonly fleet = new FakeFleet([]);
  traces!: RelayTraces;
  url = '';
  close: () => Promise<void> = () => Promise.resolve();
  private readonly opened = new Subject<HarnessStream>();

  static async start(env: Readonly<Record<string, string>> = {}): Promise<InferenceApiHarness> {
    const self = new InferenceApiHarness();
    await self.listen(env);
    return self;
  }

  addNode(name: string, traits: NodeTraits = {}): FakeNode {
    const node = new FakeNode(name, {
      ...traits,
      open: (head, body, handler) => {
        const stream = new HarnessStream(name, head, body, handler);
        this.streams.push(stream);
        // As on a real link, the node's frames arrive after OPEN was sent.
        setImmediate(() => {
          this.opened.next(stream);
        });
        return {
          id: this.streams.length,
          consumed: (bytes) => {
            stream.credited += bytes;
          },
          reset: (reason) => {
            stream.phase = 'closed';
            stream.resets.push(reason);
            return false;
          },
        };
      },
    });
    this.fleet.nodes.push(node);
    this.changes.next({ accountId: account, nodeId: node.nodeId, kind: 'inventory' });
    return node;
  }

  removeNode(name: string): void {
    const { nodes } = this.fleet;
    const index = nodes.findIndex((node) => node.name === name);
    const [node] = index === -1 ? [] : nodes.splice(index, 1);
    if (node !== undefined) this.changes.next({ accountId: account, nodeId: node.nodeId, kind: 'disconnected' });
  }

  /** Handles the node's side of every request from now on. */
  play(script: (stream: HarnessStream) => void): void {
    this.opened.subscribe(script);
  }

  /** A chat request; a string `body` is sent unchanged. */
  post(path: string, body: unknown, headers: Record<string, string> = {}, signal?: AbortSignal): Promise<Response> {
    return fetch(`${this.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...(signal && { signal }),
    });
  }

  private async listen(env: Readonly<Record<string, string>>): Promise<void> {
    Logger.overrideLogger(false);
    const { values: settings } = loadSettings(relaySettings, env);
    const bodies = new BodyBudget({ totalBytes: 1 << 28, perAccountBytes: 1 << 26 });
    const reader = new JsonBodyReader(
      {
        ...settings,
        limitBytes: settings.bodyLimitBytes,
        inflateRatioLimit: 100,
        depthLimit: 64,
        tokenLimit: 1_000_000,
      },
      bodies,
      new JsonParser(settings.bodyParseInlineBytes),
    );
    const directory = {
      owns: (_account: unknown, cluster: ClusterId) => Promise.resolve(cluster === clusterA),
    };
    const surroundings = [
      { provide: RELAY_CONFIG, useValue: { settings, secret: this.secret, version: '0.0.0', replicaId: 'rep_test' } },
      { provide: JsonBodyReader, useValue: reader },
      { provide: BodyBudget, useValue: bodies },
      { provide: OverloadGuard, useFactory: () => new OverloadGuard(settings) },
      {
        provide: ReachableNodes,
        useValue: {
          changes$: this.changes,
          onlineIn: () => this.fleet.nodes,
          find: (_account: unknown, id: NodeId) => this.fleet.nodes.find(({ nodeId }) => nodeId === id),
        },
      },
      { provide: Catalogue, useValue: { find: (_account: unknown, model: string) => this.fleet.find(model) } },
      { provide: KeyRevocations, useValue: this.revocations },
      { provide: DrainRegistry, useValue: this.drain },
      { provide: TimerWheel, useValue: this.wheel },
      { provide: RelayTraces, useClass: RelayTraces },
      { provide: ExtensionState, useClass: ExtensionState },
      {
        provide: NodeHealth,
        useValue: new NodeHealth({ clock: systemClock, timers: this.wheel, limits: settings }),
      },
      { provide: ExplanationRecorder, useValue: { record: () => undefined } },
      { provide: OutcomeRecorder, useValue: { record: (report: OutcomeReport) => this.outcomes.push(report) } },
      { provide: ClusterDirectory, useValue: directory },
      { provide: ClusterPinPipe, useValue: new ClusterPinPipe(directory as never) },
    ];
    const module = await Test.createTestingModule({
      imports: [
        {
          module: Surroundings,
          global: true,
          providers: surroundings,
          exports: surroundings.map(({ provide }) => provide),
        },
      ],
      providers: [
        { provide: ConcurrencyQueries, useValue: null },
        ...routingProviders,
        RoutingService,
        InferenceResponder,
        InferenceCallPipe,
        InferenceRoutes,
        { provide: AccessGuard, useValue: everybodyIsKnown },
      ],
    }).compile();
    const adapter = new RelayHttpAdapter({
      upgradePath: '/link',
      ...settings,
      fastPath: httpServerOptions.fastPath,
      closing: () => false,
      onOver: () => undefined,
      linger: { ms: settings.bodyLingerMs, bytes: settings.bodyLingerBytes },
    });
    this.traces = module.get(RelayTraces);
    const app = module.createNestApplication(adapter, { bodyParser: false });
    await app.listen(0, '127.0.0.1');
    this.url = await app.getUrl();
    this.close = () => {
      // After an aborted fetch, its agent keeps a new connection that has not sent anything yet.
      const server: Server = adapter.getHttpServer();
      server.closeAllConnections();
      return app.close();
    };
  }
}
