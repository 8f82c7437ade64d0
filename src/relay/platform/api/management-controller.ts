import { applyDecorators, Controller, UseFilters, UseGuards, UseInterceptors, UsePipes } from '@nestjs/common';
import { ApiTags } from 'nest-swagger';
import { ManagementBodyInterceptor } from '../http/body/json-body-reader.js';
import { createValidationPipe } from '../http/body/validation-pipe.js';
import { ManagementErrorFilter } from '../http/errors/error-filters.js';
import { IdempotencyInterceptor } from './idempotency/idempotency.interceptor.js';
import { RateGuard } from '../limits/management-rates.js';

/**
 * The base of every controller under `/api`: management credentials, a small JSON body validated by its DTO, problem+json errors.
 * A handler without `@Requires` or `@Public` is refused to everybody.
 * @param tag groups the operations in the OpenAPI document
 */
export const ManagementController = (path: string, tag: string): ClassDecorator =>
  applyDecorators(
    Controller(`api/${path}`),
    ApiTags(tag),
    UseFilters(ManagementErrorFilter),
    UseGuards(RateGuard),
    // The order matters: idempotency compares the body as it came.
    UseInterceptors(ManagementBodyInterceptor, IdempotencyInterceptor),
    UsePipes(createValidationPipe()),
  );
