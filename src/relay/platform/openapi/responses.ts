/** Decorators that `/api` operations share. The generator of the document resolves the extensions. */
import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtension, ApiExtraModels, ApiResponse } from 'nest-swagger';
import type { ErrorCode } from '../../../kernel/errors/error-catalogue.js';

export const ERROR_CODES = 'x-error-codes';
export const ALTERNATIVES = 'x-alternatives';

/** Error codes of this operation in addition to those that follow from its credential, role, body, path and idempotency. */
export const ApiErrors = (...codes: readonly ErrorCode[]): MethodDecorator => ApiExtension(ERROR_CODES, codes);

/** Media types of the response besides JSON, each with an example of a complete body. */
export const ApiAlternatives = (bodies: Readonly<Record<string, string>>): MethodDecorator =>
  ApiExtension(ALTERNATIVES, bodies);

/** One page of a list: 200 with `data`, `has_more` and `next_cursor`. */
export const ApiPage = (item: Type, description: string): MethodDecorator =>
  applyDecorators(
    ApiExtraModels(item),
    ApiResponse({
      status: 200,
      description,
      schema: {
        type: 'object',
        required: ['object', 'data', 'has_more', 'next_cursor'],
        properties: {
          object: { type: 'string', enum: ['list'] },
          data: { type: 'array', items: { $ref: `#/components/schemas/${item.name}` } },
          has_more: { type: 'boolean', description: 'Whether there are more items; request them with `cursor`.' },
          next_cursor: { type: 'string', nullable: true, description: 'null on the last page.' },
        },
      },
    }),
  );
