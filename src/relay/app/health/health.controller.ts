import {
  Controller,
  Get,
  UseFilters,
  Catch,
  ServiceUnavailableException,
  type ArgumentsHost,
  type ExceptionFilter,
} from '@nestjs/common';
import { HealthCheckService, type HealthCheckResult, type HealthIndicatorResult } from '@nestjs/terminus';
import { Public } from '../../platform/access/access.js';
import { DrainRegistry } from '../../platform/lifecycle/drain-registry.js';
import { ReadinessRegistry, type Readiness, type ReadinessCheck } from '../../platform/lifecycle/readiness-registry.js';
import type { Response } from 'express';
import { sendCompleteResponse } from '../../platform/http/send-response.js';

/** The response is no error body: it contains the result of every check. */
@Catch(ServiceUnavailableException)
class HealthFilter implements ExceptionFilter<ServiceUnavailableException> {
  catch(exception: ServiceUnavailableException, host: ArgumentsHost): void {
    sendCompleteResponse(host.switchToHttp().getResponse<Response>(), {
      status: 503,
      headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
      body: JSON.stringify(exception.getResponse()),
    });
  }
}

/** `degraded`: failed checks of optional dependencies; requests are still served. */
export type ReadyResult = HealthCheckResult & { readonly degraded?: readonly string[] };

/** Probes for supervisors and load balancers. `/readyz` names failed checks, without addresses. */
@Controller()
@Public()
@UseFilters(HealthFilter)
export class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly readiness: ReadinessRegistry,
    private readonly drain: DrainRegistry,
  ) {}

  /** Succeeds whenever the process responds. Independent of the database, because a restart would not repair it. */
  @Get('livez')
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  @Get('readyz')
  async ready(): Promise<ReadyResult> {
    const serving: ReadinessCheck = {
      name: 'serving',
      check: () =>
        Promise.resolve(
          this.drain.draining ? { status: 'down', message: 'the relay is shutting down' } : { status: 'up' },
        ),
    };
    const result = await this.health.check(
      [serving, ...this.readiness.checks].map((check) => async (): Promise<HealthIndicatorResult> => ({
        [check.name]: await this.look(check),
      })),
    );
    const degraded = Object.keys(result.details).filter((name) => result.details[name]?.status === 'degraded');
    return degraded.length === 0 ? result : { ...result, degraded };
  }

  /** Succeeds when degraded, so that a relay that still serves requests stays in the load balancer. */
  private async look(check: ReadinessCheck): Promise<Readiness> {
    const found = await check.check();
    return found.status === 'down' && this.readiness.hasWorkingFallback(check.name)
      ? { ...found, status: 'degraded' }
      : found;
  }
}
