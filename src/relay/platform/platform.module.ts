import { Global, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { SessionCookie } from './access/session-cookie.js';
import { ChangeNotices } from './changes/change-notices.js';
import type { RelayConfig } from './config/relay-config.js';
import { RELAY_CONFIG } from './config/relay-config.js';
import { ClientOrigins } from './http/client-origin.js';
import { BodyBudget } from './http/body/body-budget.js';
import { JsonBodyReader } from './http/body/json-body-reader.js';
import { JsonParser } from './http/body/json-parser.js';
import { DrainRegistry } from './lifecycle/drain-registry.js';
import { OverloadGuard } from './lifecycle/overload-guard.js';
import { ReadinessRegistry } from './lifecycle/readiness-registry.js';
import { processTimerWheel, TimerWheel } from './timing/timer-wheel.js';
import { RelayTraces } from './tracing/relay-traces.js';

/** Global providers: configuration, timers, body readers, drain and readiness registries. */
@Global()
@Module({})
export class PlatformModule implements OnApplicationShutdown {
  constructor(private readonly parser: JsonParser) {}

  static forRoot(config: RelayConfig, drain: DrainRegistry): DynamicModule {
    const { settings } = config;
    return {
      module: PlatformModule,
      providers: [
        { provide: RELAY_CONFIG, useValue: config },
        { provide: DrainRegistry, useValue: drain },
        { provide: TimerWheel, useValue: processTimerWheel },
        ReadinessRegistry,
        ClientOrigins,
        SessionCookie,
        ChangeNotices,
        RelayTraces,
        {
          provide: OverloadGuard,
          inject: [ReadinessRegistry],
          useFactory: (readiness: ReadinessRegistry) => {
            const guard = new OverloadGuard(settings);
            readiness.register(guard.readiness);
            return guard;
          },
        },
        { provide: JsonParser, useFactory: () => new JsonParser(settings.bodyParseInlineBytes) },
        {
          provide: BodyBudget,
          useFactory: () =>
            new BodyBudget({
              totalBytes: settings.bodiesInMemoryBytes,
              perAccountBytes: settings.bodiesInMemoryPerAccountBytes,
            }),
        },
        {
          provide: JsonBodyReader,
          inject: [BodyBudget, JsonParser],
          useFactory: (budget: BodyBudget, parser: JsonParser) =>
            new JsonBodyReader(
              {
                limitBytes: settings.bodyLimitBytes,
                inflateRatioLimit: settings.bodyInflateRatioLimit,
                depthLimit: settings.bodyDepthLimit,
                tokenLimit: settings.bodyTokenLimit,
                uploadFloorBytesPerSecond: settings.uploadFloorBytesPerSecond,
                uploadFloorWindowMs: settings.uploadFloorWindowMs,
              },
              budget,
              parser,
            ),
        },
      ],
      exports: [
        RELAY_CONFIG,
        DrainRegistry,
        TimerWheel,
        ReadinessRegistry,
        OverloadGuard,
        ClientOrigins,
        SessionCookie,
        ChangeNotices,
        RelayTraces,
        BodyBudget,
        JsonBodyReader,
      ],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.parser.close();
  }
}
