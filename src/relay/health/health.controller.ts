import { Controller, Get, UseFilters } from '@nestjs/common';
import { HealthCheckService, type HealthCheckResult, type HealthIndicatorResult } from '@nestjs/terminus';
import { Public } from '../auth/access.js';
import { DrainRegistry } from '../platform/lifecycle/drain-registry.js';
import { ReadinessRegistry } from '../platform/lifecycle/readiness-registry.js';
import { HealthFilter } from './health.filter.js';

const UP: HealthIndicatorResult[string] = { status: 'up' };

/** Probes for supervisors and load balancers; the detail of `/readyz` says what is missing, never where it is. */
@Controller()
@Public()
@UseFilters(HealthFilter)
export class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly readiness: ReadinessRegistry,
    private readonly drain: DrainRegistry,
  ) {}

  /** The process answers. Depends on nothing else: restarting it would not bring a database back. */
  @Get('livez')
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  @Get('readyz')
  ready(): Promise<HealthCheckResult> {
    const registered = this.readiness.checks.map((check) => ({
      name: check.name,
      run: () => check.check(),
    }));
    const serving = {
      name: 'serving',
      run: () => (this.drain.draining ? Promise.reject(new Error('the relay is shutting down')) : Promise.resolve()),
    };
    return this.health.check(
      [serving, ...registered].map(({ name, run }) => async (): Promise<HealthIndicatorResult> => {
        try {
          await run();
          return { [name]: UP };
        } catch (error) {
          return { [name]: { status: 'down', message: error instanceof Error ? error.message : String(error) } };
        }
      }),
    );
  }
}
