import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { systemClock } from '../../../kernel/clock.js';
import type { SpanCounts } from '../../../kernel/tracing/span-metric.js';
import { TraceExport } from '../../../kernel/tracing/trace-export.js';
import type { Tracer } from '../../../kernel/tracing/tracer.js';
import { RELAY_CONFIG, type RelayConfig } from '../config/relay-config.js';
import { DrainRegistry } from '../lifecycle/drain-registry.js';

/** The traces of this relay. Without `FERRY_OTLP_URL` there is no tracer. */
@Injectable()
export class RelayTraces implements OnApplicationShutdown {
  private readonly export: TraceExport | undefined;
  private drainUntilMs: number | undefined;

  constructor(@Inject(RELAY_CONFIG) { settings, version, replicaId }: RelayConfig, drains: DrainRegistry) {
    const logger = new Logger('Traces');
    this.export = TraceExport.of({
      settings,
      clock: systemClock,
      source: {
        resource: { 'service.name': 'ferry-relay', 'service.version': version, 'service.instance.id': replicaId },
        scope: { name: 'ferry', version },
      },
      log: {
        info: (details, message) => {
          logger.log(message, details);
        },
        warn: (details, message) => {
          logger.warn(message, details);
        },
      },
    });
    if (this.export === undefined) return;
    drains.register({
      name: 'traces',
      // Requests still end until then; what is left is exported when the application closes.
      drain: (deadlineMs) => {
        this.drainUntilMs = deadlineMs;
        return Promise.resolve();
      },
    });
  }

  get tracer(): Tracer | undefined {
    return this.export?.tracer;
  }

  /** Undefined: nothing is exported. */
  get spans(): SpanCounts | undefined {
    return this.export?.spans;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.export?.close(this.drainUntilMs);
  }
}
