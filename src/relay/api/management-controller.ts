import { applyDecorators, Controller, UseFilters, UseGuards, UseInterceptors, UsePipes } from '@nestjs/common';
import { Management } from '../platform/access/access.js';
import { ManagementBodyInterceptor } from '../platform/http/body/management-body.interceptor.js';
import { ApiTags } from '../platform/openapi/decorators.js';
import { createValidationPipe } from '../platform/http/body/validation-pipe.js';
import { ManagementErrorFilter } from '../platform/http/errors/error-filters.js';
import { IdempotencyInterceptor } from './idempotency/idempotency.interceptor.js';
import { RateGuard } from '../limits/rate.guard.js';

/**
 * What every controller under `/api` has in common: a CLI token to get in, a small JSON body checked by its DTO, problem+json on failure.
 * @param tag the part of the API that its OpenAPI document shows the operations under
 */
export const ManagementController = (path: string, tag: string): ClassDecorator =>
  applyDecorators(
    Controller(`api/${path}`),
    ApiTags(tag),
    Management(),
    UseFilters(ManagementErrorFilter),
    UseGuards(RateGuard),
    // In this order: what is recognised again is the body as it came.
    UseInterceptors(ManagementBodyInterceptor, IdempotencyInterceptor),
    UsePipes(createValidationPipe()),
  );
