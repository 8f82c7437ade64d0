import { Module, type OnModuleInit } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { KeyVerifier } from '../../keys/key-verifier.js';
import { KeysModule } from '../../keys/keys.module.js';
import { DatabaseReadiness } from '../../platform/database/database-readiness.js';
import { ReadinessRegistry } from '../../platform/lifecycle/readiness-registry.js';
import { HealthController } from './health.controller.js';

@Module({
  // No log line per failed probe, which would repeat the response.
  imports: [TerminusModule.forRoot({ logger: false }), KeysModule],
  controllers: [HealthController],
  providers: [DatabaseReadiness],
})
export class HealthModule implements OnModuleInit {
  constructor(
    private readonly readiness: ReadinessRegistry,
    private readonly keys: KeyVerifier,
  ) {}

  /** Without a database, requests are served while there are keys that can be verified from the cache. */
  onModuleInit(): void {
    this.readiness.registerFallback('database', () => this.keys.worksWithoutDatabase());
  }
}
