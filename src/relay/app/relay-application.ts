import type { Server } from 'node:http';
import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { requestIdsOf } from '../../kernel/ids.js';
import type { UnhandledFailures } from '../../kernel/unhandled-failures.js';
import { UsersStore } from '../accounts/users/users.store.js';
import { BootstrapService } from './bootstrap/bootstrap.service.js';
import { takeHandedLinks } from '../nodes/handshake/handed-links.js';
import { LINK_PATH, LinkWsAdapter } from '../nodes/handshake/link-ws-adapter.js';
import type { RelaySettings } from '../platform/config/relay-settings.js';
import { RelayHttpAdapter } from '../platform/http/relay-http-adapter.js';
import type { HttpServerOptions } from '../platform/http/server/create-http-server.js';
import { OpenResponses } from '../platform/http/server/open-responses.js';
import type { DrainRegistry } from '../platform/lifecycle/drain-registry.js';
import { addressOf, canReusePort, listen, readArrived, stopListening } from '../platform/lifecycle/listen.js';
import type { RelayLog } from '../platform/logging/create-logger.js';
import { createRequestLog } from '../platform/logging/request-log.js';
import { RelayModule } from './relay.module.js';
import type { RelayState } from './relay-state.js';

export interface RelayApplicationParts {
  readonly settings: RelaySettings;
  readonly state: RelayState;
  readonly drain: DrainRegistry;
  readonly log: RelayLog;
  readonly failures: UnhandledFailures;
}

/** For the last event of a stream that was ended by the drain to reach its client. */
const LAST_BYTES_MS = 1_000;

/** The Nest application of the relay and its HTTP server. */
export class RelayApplication {
  private closing = false;

  private constructor(
    private readonly parts: RelayApplicationParts,
    private readonly app: INestApplication,
    private readonly server: Server,
    private readonly responses: OpenResponses,
  ) {}

  static async create(parts: RelayApplicationParts): Promise<RelayApplication> {
    const { settings, state, drain, log, failures } = parts;
    const responses = new OpenResponses();
    const adapter = new RelayHttpAdapter(
      {
        ...serverOptions(settings),
        createRequestId: requestIdsOf(state.config.replicaId),
        closing: () => application.closing,
        responses,
        onOver: createRequestLog(log, settings),
      },
      failures,
    );
    const module = RelayModule.forRoot({ config: state.config, database: state.database, drain });
    // Bodies are read after the guards; a failed start throws.
    const app = await NestFactory.create(module, adapter, { bodyParser: false, abortOnError: false });
    const application: RelayApplication = new RelayApplication(parts, app, adapter.getHttpServer(), responses);
    return application;
  }

  /** Resolves with the port when it is ready to serve. @throws the system's error when it cannot listen */
  async start(): Promise<number> {
    const { settings, state } = this.parts;
    const { primary } = state.config;
    this.app.useWebSocketAdapter(new LinkWsAdapter(this.app, settings.linkHandshakeTimeoutMs, primary));
    await this.app.init();
    const reusePort = primary !== null && canReusePort();
    if (primary !== null) takeHandedLinks(primary, this.server);
    const port = await listen(this.server, {
      // Where the primary process listens for its workers, all ask it for the same one, which is 0 for a free one.
      port: (reusePort ? primary.port : undefined) ?? settings.port,
      host: settings.host,
      reusePort,
    });
    state.listensAt(addressOf(settings.host, port));
    await this.app.get(BootstrapService, { strict: false }).run();
    return port;
  }

  /** Whether a person can sign in with an e-mail address, of any account. */
  hasUsers(): Promise<boolean> {
    return this.app.get(UsersStore, { strict: false }).any();
  }

  /** Accepts no new connection and refuses further requests on open ones. Running requests continue. */
  async stopListening(): Promise<void> {
    await stopListening(this.server);
    this.closing = true;
  }

  /** Reads what has arrived on open connections. @returns whether a request was among it */
  readArrived(): Promise<boolean> {
    return readArrived(this.server);
  }

  /** Closes all remaining connections, also those of clients that do not read. */
  async close(): Promise<void> {
    await this.responses.none(LAST_BYTES_MS);
    this.server.closeAllConnections();
    await this.app.close();
  }
}

const serverOptions = (settings: RelaySettings): HttpServerOptions => ({
  headersTimeoutMs: settings.headersTimeoutMs,
  requestTimeoutMs: settings.requestTimeoutMs,
  connectionsCheckingIntervalMs: settings.connectionsCheckingIntervalMs,
  keepAliveTimeoutMs: settings.keepAliveTimeoutMs,
  maxConnections: settings.maxConnections,
  maxRequestsPerSocket: settings.maxRequestsPerSocket,
  maxHeaderPairs: settings.maxHeaderPairs,
  upgradePath: LINK_PATH,
  fastPath: settings.fastPath === 'on',
  linger: { ms: settings.bodyLingerMs, bytes: settings.bodyLingerBytes },
});
