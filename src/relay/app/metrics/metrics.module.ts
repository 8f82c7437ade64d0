import { Inject, Logger, Module, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { systemClock } from '../../../kernel/clock.js';
import { renderMetrics } from '../../../kernel/metrics/metric.js';
import { MetricsServer } from '../../../kernel/metrics/metrics-server.js';
import { ProcessMetrics } from '../../../kernel/metrics/process-metrics.js';
import { NodesModule } from '../../nodes/nodes.module.js';
import { NodeRegistry } from '../../nodes/registry/node-registry.js';
import { RELAY_CONFIG, type RelayConfig } from '../../platform/config/relay-config.js';
import { DatabaseMetrics } from '../../platform/database/database-metrics.js';
import { ReadinessRegistry } from '../../platform/lifecycle/readiness-registry.js';
import { processMeters } from '../../platform/metrics/relay-meters.js';
import { RelayTraces } from '../../platform/tracing/relay-traces.js';
import { BusRejections } from '../../replicas/bus/bus-rejections.js';
import { MessageBus } from '../../replicas/bus/message-bus.js';
import { ReplicasModule } from '../../replicas/replicas.module.js';
import { FleetMetrics } from './fleet-metrics.js';
import { relayMetrics } from './relay-metrics.js';

/** Serves `/metrics` on a port of its own. Only with `FERRY_METRICS_PORT`; without it nothing here runs. */
@Module({ imports: [NodesModule, ReplicasModule], providers: [DatabaseMetrics] })
export class MetricsModule implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('Metrics');
  private process: ProcessMetrics | undefined;
  private server: MetricsServer | undefined;

  constructor(
    private readonly registry: NodeRegistry,
    private readonly bus: MessageBus,
    private readonly rejections: BusRejections,
    private readonly readiness: ReadinessRegistry,
    private readonly database: DatabaseMetrics,
    private readonly traces: RelayTraces,
    @Inject(RELAY_CONFIG) private readonly config: RelayConfig,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { primary, settings } = this.config;
    const { metricsPort: port, metricsHost: host } = settings;
    if (port === undefined) return;
    this.database.watch();
    this.process = new ProcessMetrics();
    const { registry, database, bus, rejections, readiness, traces } = this;
    const fleet = new FleetMetrics(() => this.registry.active(), systemClock);
    const metrics = relayMetrics({
      meters: processMeters,
      links: registry,
      fleet,
      database,
      bus,
      rejections,
      readiness,
      traces,
      process: this.process,
    });
    const render = (): Promise<string> => renderMetrics(metrics);
    // The primary process serves those of all workers.
    if (primary !== null) {
      primary.metrics = render;
      return;
    }
    this.server = await MetricsServer.listen(render, port, host);
    this.logger.log('serving /metrics', { host, port: this.server.port });
  }

  async onApplicationShutdown(): Promise<void> {
    this.process?.stop();
    await this.server?.close();
  }
}
