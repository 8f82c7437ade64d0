import { renderMetrics } from '../../kernel/metrics/metric.js';
import { MetricsServer } from '../../kernel/metrics/metrics-server.js';
import { ProcessMetrics } from '../../kernel/metrics/process-metrics.js';
import type { AgentSettings } from '../agent-settings.js';
import { NodeMeters } from './node-meters.js';
import { nodeMetrics, type NodeMetricSources } from './node-metrics.js';

type Sources = Pick<NodeMetricSources, 'catalogue' | 'connection' | 'host' | 'traces'>;

/** Serves `/metrics` of the node on a port of its own. */
export class NodeMetricsServer {
  readonly meters: NodeMeters;
  private process: ProcessMetrics | undefined;
  private server: MetricsServer | undefined;

  private constructor(
    private readonly port: number,
    private readonly host: string,
    private readonly sources: () => Sources,
  ) {
    this.meters = new NodeMeters(() => sources().catalogue.engines.map(({ name }) => name));
  }

  /** @param sources read at a scrape @returns undefined without `FERRY_NODE_METRICS_PORT`: then nothing is counted */
  static of(
    { metricsPort: port, metricsHost: host }: Pick<AgentSettings, 'metricsPort' | 'metricsHost'>,
    sources: () => Sources,
  ): NodeMetricsServer | undefined {
    return port === undefined ? undefined : new NodeMetricsServer(port, host, sources);
  }

  /** @returns where it listens. @throws Error for people when it cannot */
  async start(): Promise<{ readonly host: string; readonly port: number }> {
    const { host, port, meters } = this;
    this.process = new ProcessMetrics();
    const metrics = nodeMetrics({ ...this.sources(), meters, process: this.process });
    try {
      this.server = await MetricsServer.listen(() => renderMetrics(metrics), port, host);
    } catch (error) {
      throw new Error(`cannot serve the metrics of this node: ${(error as Error).message} (FERRY_NODE_METRICS_PORT)`, {
        cause: error,
      });
    }
    return { host, port: this.server.port };
  }

  async stop(): Promise<void> {
    this.process?.stop();
    await this.server?.close();
    this.server = undefined;
  }
}
