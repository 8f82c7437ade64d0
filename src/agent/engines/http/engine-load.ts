import type { EngineHttp } from './engine-http.js';
import { probeOf, type EngineLoad } from './probe.js';

/** Names of two gauges in the engine's Prometheus text (docs/reference/engines.md#engine-load). */
export interface LoadGauges {
  readonly running: string;
  readonly waiting: string;
}

const METRICS_PATH = '/metrics';
/** An engine without the route gets it only by a restart with another flag, so it is not asked at every poll. */
const ABSENT_RETRY_MS = 60_000;

/** Reads the load of one engine from its metrics. */
export class EngineLoadReader {
  private retryAtMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly gauges: LoadGauges) {}

  /** Undefined when the engine does not tell. Never rejects: the load is an addition to a probe, and not part of its outcome. */
  async read(http: EngineHttp): Promise<EngineLoad | undefined> {
    if (performance.now() < this.retryAtMs) return undefined;
    const load = await this.query(http).catch(() => undefined);
    if (load === undefined) this.retryAtMs = performance.now() + ABSENT_RETRY_MS;
    return load;
  }

  private async query(http: EngineHttp): Promise<EngineLoad | undefined> {
    const { status, text } = await probeOf(http)(METRICS_PATH);
    const running = gauge(text, this.gauges.running);
    const waiting = gauge(text, this.gauges.waiting);
    return status !== 200 || running === undefined || waiting === undefined ? undefined : { running, waiting };
  }
}

/** Processes of an engine that have requests of their own: data-parallel ranks (SGLang), engines (vLLM), models. */
const OWN_REQUESTS = ['dp_rank', 'engine', 'model_name'];

/**
 * The sum over the engine's processes; undefined without a sample. The ranks of one process (tensor and pipeline parallel) report the same
 * requests, so only the highest of them counts. A series per priority is part of the one with an empty priority.
 */
function gauge(text: string, name: string): number | undefined {
  const counts = new Map<string, number>();
  for (const [, labels = '', value] of text.matchAll(new RegExp(`^${name}(?:\\{([^\\n]*)\\})? ([0-9.eE+]+)`, 'gm'))) {
    const count = Math.round(Number(value));
    if (!Number.isFinite(count) || labelOf(labels, 'priority') !== '') continue;
    const process = OWN_REQUESTS.map((label) => labelOf(labels, label)).join(' ');
    counts.set(process, Math.max(count, counts.get(process) ?? 0));
  }
  return counts.size === 0 ? undefined : [...counts.values()].reduce((sum, count) => sum + count, 0);
}

/** Empty where the label is absent, which means the same in Prometheus. */
const labelOf = (labels: string, name: string): string =>
  new RegExp(`(?:^|,)${name}="((?:[^"\\\\]|\\\\.)*)"`).exec(labels)?.[1] ?? '';

/** The part of a load that did not come through this node. */
export class ForeignRequests {
  private previous = 0;

  /**
   * A request that has just ended may still be counted by the engine, so that only requests seen by two readings in a row are reported.
   * @param own requests of this node at the engine, at most, while the load was read
   */
  seen({ running, waiting }: EngineLoad, own: number): number {
    const now = Math.max(0, running + waiting - own);
    const reported = Math.min(now, this.previous);
    this.previous = now;
    return reported;
  }
}
