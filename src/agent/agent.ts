/** The life of a node: one lock, its engines, one link, and the requests that arrive on it. */
import type { Clock, Rng } from '../kernel/clock.js';
import type { TraceSource } from '../kernel/tracing/otlp-json.js';
import { TraceExport } from '../kernel/tracing/trace-export.js';
import { acquireInstanceLock, type InstanceLock } from '../kernel/instance-lock.js';
import type { AgentSettings } from './agent-settings.js';
import type { AgentStatus } from './agent-status.js';
import { agentVersion } from './agent-version.js';
import { ConnectionManager } from './connection/connection-manager.js';
import { SuspendWatch } from './connection/suspend-watch.js';
import { ReconnectPolicy, type LinkOutcome } from './connection/reconnect-policy.js';
import type { RelayNetwork } from './connection/relay-network.js';
import { settledWithin, type Timers } from './connection/timers.js';
import { EngineCatalogue } from './engines/engine-catalogue.js';
import type { ConfiguredEngine } from './engines/create-engines.js';
import type { EngineSearch } from './engines/discovery/engine-search.js';
import { LastKnownModels, lastKnownModelsFile } from './engines/last-known/last-known-models.js';
import { nodeDirectory, writeIdentity, type NodeIdentity } from './enrolment/node-identity.js';
import { addressText } from './connection/relay-address.js';
import { ImageFetcher } from './inference/media/image-fetcher.js';
import { MediaGate } from './inference/media/media-gate.js';
import { HostMonitor } from './host/host-monitor.js';
import { PublicWeb } from './inference/media/public-web.js';
import { NodeMetricsServer } from './metrics/node-metrics-server.js';
import { linkOpener, listedAddress } from './node-link.js';
import { OperationManager } from './operations/operation-manager.js';
import { OperationsFile, operationsFile } from './operations/operations-file.js';
import { ConversationStore } from './inference/conversations/conversation-store.js';
import { ResponseStore } from './inference/conversations/response-store.js';
import { ThreadStore } from './inference/conversations/thread-store.js';
import { servableDialects } from './inference/dialect-service.js';
import { RequestServer } from './inference/request-server.js';
import { UpdateAdvice } from './update-advice.js';

const TICK_MS = 1_000;
/** HELLO lists the engines, so it waits for their first probes. A silent engine must not delay the others. */
const ENGINES_HEAD_START_MS = 500;
/** The lock that makes one process the node of a data directory. */
export const NODE_LOCK = 'node';

export interface AgentConfig {
  readonly settings: AgentSettings;
  readonly identity: NodeIdentity;
  /** The agent dials this address, and its host is the one that the signature covers. */
  readonly relay: URL;
  readonly relayHost: string;
  /** Proxy and certificates. Absent: a direct connection with the certificates that Node trusts. */
  readonly network?: RelayNetwork | undefined;
  readonly nodeName: string;
  readonly dataDirectory: string;
  readonly engines: readonly ConfiguredEngine[];
  /** Looks for more engines while the node runs, and puts them into its catalogue. */
  readonly search?: ((catalogue: EngineCatalogue) => EngineSearch) | undefined;
}

/** The part of a pino logger that is used. Prompts, answers and keys are never logged. */
export interface AgentLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

interface AgentDependencies {
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Rng;
  readonly log: AgentLog;
}

export interface Agent {
  /**
   * Resolves when the node is ready to serve; the link may still be connecting. @throws InstanceLockedError, or the error of a
   * misconfigured engine
   */
  start(): Promise<void>;
  /** The relay is known to be ready again: no back-off. */
  reconnect(): void;
  /** Accepts no new requests. Resolves when running ones are finished or the drain deadline has passed. */
  drain(): Promise<void>;
  /** Ends everything at once. Idempotent. */
  stop(): Promise<void>;
  status(): AgentStatus;
  /** Resolves with the reason when the relay refuses this node for good. */
  readonly refused: Promise<LinkOutcome['kind']>;
  /** Resolves when the first attempt to connect has ended in another way: the relay takes this node, or cannot be reached now. */
  readonly tried: Promise<void>;
}

export const createAgent = (config: AgentConfig, dependencies: AgentDependencies): Agent =>
  new NodeAgent(config, dependencies);

class NodeAgent implements Agent {
  readonly refused: Promise<LinkOutcome['kind']>;
  readonly tried: Promise<void>;
  private readonly lastKnown: LastKnownModels;
  private readonly catalogue: EngineCatalogue;
  private readonly search: EngineSearch | undefined;
  private readonly conversations: ConversationStore;
  private readonly requests: RequestServer;
  /** Absent: remote media are not fetched. */
  private readonly web: PublicWeb | undefined;
  private readonly operations: OperationManager;
  private readonly host: HostMonitor;
  private readonly connection: ConnectionManager;
  /** Absent: nothing is counted. */
  private readonly metrics: NodeMetricsServer | undefined;
  /** Absent: nothing is recorded. */
  private readonly traces: TraceExport | undefined;
  private drainUntilMs: number | undefined;
  private sinceMs: number;
  /** As the relay calls this node; before the first READY as it was when it joined. */
  private name: string;
  private readonly advice: UpdateAdvice;
  private lock: InstanceLock | undefined;
  private ticking: NodeJS.Timeout | undefined;
  private models: AgentStatus['models'] = [];

  constructor(
    private readonly config: AgentConfig,
    private readonly dependencies: AgentDependencies,
  ) {
    const { clock, timers, random, log } = dependencies;
    this.sinceMs = clock.wallMs();
    this.name = config.nodeName;
    this.advice = new UpdateAdvice(config.relay, log);
    const onUnexpected = (error: unknown): void => {
      log.error({ error: errorText(error) }, 'unexpected error');
    };
    this.metrics = NodeMetricsServer.of(config.settings, () => ({
      catalogue: this.catalogue,
      connection: this.connection,
      host: this.host,
      traces: this.traces,
    }));
    this.traces = TraceExport.of({ settings: config.settings, source: traceSource(config.identity), clock, log });
    this.lastKnown = new LastKnownModels({
      file: lastKnownModelsFile(nodeDirectory(config.dataDirectory)),
      maxAgeMs: config.settings.lastKnownModelsMaxAgeMs,
      clock,
      onFailure: (error) => {
        log.warn({ error: errorText(error) }, 'the models of engines are not stored: they will be lost at a restart');
      },
    });
    this.catalogue = new EngineCatalogue({
      lastKnown: this.lastKnown,
      servable: servableDialects,
      clock,
      remoteMedia: config.settings.remoteMedia === 'public',
      onFailure: (engine, error) => {
        log.error({ engine, error: errorText(error) }, 'an engine failed to start or stop');
      },
    });
    this.search = config.search?.(this.catalogue);
    this.conversations = new ConversationStore({
      maxBytes: config.settings.responsesStoreBytes,
      maxAgeMs: config.settings.responsesStoreMaxAgeMs,
      clock,
    });
    this.web = config.settings.remoteMedia === 'public' ? new PublicWeb({ userAgent }) : undefined;
    this.requests = new RequestServer({
      catalogue: this.catalogue,
      media: mediaGate(this.web, config.settings),
      responses: new ResponseStore(this.conversations),
      threads: new ThreadStore(this.conversations),
      clock,
      bodyLimitBytes: config.settings.bodyLimitBytes,
      bodiesInMemoryBytes: config.settings.bodiesInMemoryBytes,
      timers,
      keepAlive: {
        afterMs: config.settings.responsesKeepAliveAfterMs,
        intervalMs: config.settings.responsesKeepAliveIntervalMs,
      },
      onUnexpected,
      meter: this.metrics?.meters,
      tracer: this.traces?.tracer,
    });
    this.operations = new OperationManager({
      engines: this.catalogue,
      file: new OperationsFile(operationsFile(nodeDirectory(config.dataDirectory)), (error) => {
        log.warn({ error: errorText(error) }, 'the list of operations is not stored: it will be lost at a restart');
      }),
      clock,
      timers,
      log,
      onUnexpected,
    });
    this.host = new HostMonitor(clock, {
      usedGpus: () => this.catalogue.engines.flatMap(({ usedGpus = [] }) => usedGpus),
    });
    let refuse: (reason: LinkOutcome['kind']) => void;
    this.refused = new Promise((resolve) => (refuse = resolve));
    let triedOnce: () => void;
    this.tried = new Promise((resolve) => (triedOnce = resolve));
    this.connection = new ConnectionManager({
      open: linkOpener({
        ...config,
        ...dependencies,
        catalogue: this.catalogue,
        requests: this.requests,
        operations: this.operations,
        host: this.host,
        hasSeveralLinks: () => this.connection.links > 1,
        onUnsendable: ({ key }) => {
          log.warn({ model: key }, 'a model cannot be reported: its description exceeds the limits');
        },
        onAdmitted: ({ relay_version: version, node_name: name }) => {
          this.advice.admittedBy(version);
          this.keepName(name);
        },
        onUnexpected,
        meter: this.metrics?.meters,
      }),
      policy: new ReconnectPolicy(clock, random),
      mayDial: (address) => listedAddress(config.relay, address) !== undefined,
      random,
      timers,
      onConnected: (links) => {
        triedOnce();
        this.metrics?.meters.linkOpened();
        if (links === 1) this.sinceMs = clock.wallMs();
        log.info({ relay: addressText(config.relay), links }, 'connected to the relay');
      },
      onFurtherLinkFailed: ({ kind }, detail, links) => {
        this.metrics?.meters.linkFailed(kind);
        log.info({ ending: kind, detail, links }, 'no further link to the relay');
      },
      onDisconnected: ({ kind }, detail, inMs) => {
        triedOnce();
        this.metrics?.meters.linkFailed(kind);
        this.sinceMs = clock.wallMs();
        if (kind === 'incompatible') this.advice.notUnderstood();
        const reconnectMs = inMs === null ? null : Math.round(inMs);
        log.warn({ ending: kind, detail, reconnect_in_ms: reconnectMs }, disconnection(kind));
      },
      onRefused: ({ kind }, detail) => {
        this.metrics?.meters.linkFailed(kind);
        this.sinceMs = clock.wallMs();
        log.error({ ending: kind, detail }, `${refusalText(kind)}: create a new join token and join again`);
        refuse(kind);
      },
    });
  }

  async start(): Promise<void> {
    const { dataDirectory, engines } = this.config;
    const { clock, log, timers } = this.dependencies;
    this.lock = await acquireInstanceLock(nodeDirectory(dataDirectory), NODE_LOCK, () => this.status());
    if (this.metrics !== undefined) log.info(await this.metrics.start(), 'serving /metrics');
    this.catalogue.models$.subscribe((models) => {
      this.models = models.map(({ key, display_name, state, engine_unreachable: away }) => ({
        key,
        display_name,
        state,
        reason: away === true ? 'engine_unreachable' : null,
      }));
    });
    await this.lastKnown.load();
    log.info({ node: this.config.identity.node_id, engines: engines.map(({ engine }) => engine.name) }, 'node starts');
    const started = Promise.all([
      ...engines.map(({ engine, configured }) => this.catalogue.add(engine, configured)),
      this.search?.start(),
    ]);
    await settledWithin(started, ENGINES_HEAD_START_MS, timers);
    await this.operations.start();
    void this.host.tick();
    this.connection.start();
    const suspends = new SuspendWatch({
      clock,
      intervalMs: TICK_MS,
      gapMs: this.config.settings.linkSuspendGapMs,
    });
    this.ticking = setInterval(() => {
      if (suspends.resumed()) {
        log.info({}, 'this computer was suspended or its clock was set: reconnecting');
        this.connection.resumed();
      }
      this.connection.tick();
      void this.host.tick();
      this.catalogue.tick();
      this.conversations.forgetExpired();
    }, TICK_MS);
  }

  reconnect(): void {
    this.connection.reconnect();
  }

  async drain(): Promise<void> {
    const { clock, timers, log } = this.dependencies;
    this.drainUntilMs = clock.monotonicMs() + this.config.settings.drainTimeoutMs;
    this.requests.close();
    this.operations.close();
    this.connection.leave();
    if (this.requests.active === 0) return;
    log.info({ running: this.requests.active }, 'finishing what runs');
    await settledWithin(this.requests.idle(), this.config.settings.drainTimeoutMs, timers);
  }

  async stop(): Promise<void> {
    this.requests.close();
    clearInterval(this.ticking);
    this.connection.stop();
    this.search?.stop();
    await this.operations.stop();
    await this.catalogue.stop();
    await this.lastKnown.close();
    await this.web?.close();
    await this.metrics?.stop();
    await this.traces?.close(this.drainUntilMs);
    const { lock } = this;
    this.lock = undefined;
    await lock?.release();
  }

  /** Commands that ask no running node show it, too. */
  private keepName(name: string): void {
    const { identity, dataDirectory } = this.config;
    const known = this.name;
    this.name = name;
    if (name === known && name === identity.node_name) return;
    writeIdentity(dataDirectory, { ...identity, node_name: name }).catch((error: unknown) => {
      this.dependencies.log.warn({ error: errorText(error) }, 'the new name of this node is not stored');
    });
  }

  status(): AgentStatus {
    const { identity, relay } = this.config;
    return {
      pid: process.pid,
      node_id: identity.node_id,
      node_name: this.name,
      relay_url: addressText(relay),
      connected: this.connection.connected,
      since: new Date(this.sinceMs).toISOString(),
      draining: this.requests.closed,
      agent_version: agentVersion,
      relay_version: this.advice.relayVersion,
      update: this.advice.update,
      engines: this.catalogue.facts(),
      models: this.models,
      slots: this.catalogue.slots(),
      operations: this.operations.live,
    };
  }
}

function disconnection(kind: LinkOutcome['kind']): string {
  switch (kind) {
    case 'superseded':
      return 'another process uses the identity of this node: two computers must not share an identity';
    case 'incompatible':
      return 'this node and its relay have no link version in common: one of them must be updated';
    case 'lost':
    case 'duplicate_home':
    case 'unauthorized':
    case 'revoked':
      return 'no connection to the relay';
  }
}

/** A supervisor shows it, too, when the node gave up. */
export const refusalText = (kind: LinkOutcome['kind']): string =>
  kind === 'revoked'
    ? 'this node was revoked'
    : 'the relay does not accept this node (any more; it may have been revoked)';

const userAgent = `ferry-node/${agentVersion}`;

const traceSource = ({ node_id: nodeId }: NodeIdentity): TraceSource => ({
  resource: { 'service.name': 'ferry-node', 'service.version': agentVersion, 'service.instance.id': nodeId },
  scope: { name: 'ferry', version: agentVersion },
});

const mediaGate = (web: PublicWeb | undefined, settings: AgentSettings): MediaGate =>
  new MediaGate(
    web &&
      new ImageFetcher({ web, limitBytes: settings.remoteMediaLimitBytes, timeoutMs: settings.remoteMediaTimeoutMs }),
  );

/** Stack and message, for the node's own log. */
const errorText = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));
