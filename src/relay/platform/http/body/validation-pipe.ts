import { ValidationPipe, type ValidationError } from '@nestjs/common';
import { FerryError } from '../../../../kernel/errors/ferry-error.js';

/** Validates DTOs of `/api`: refuses unknown fields, converts values to the declared types, and reports the first problem with its path. */
export const createValidationPipe = (): ValidationPipe =>
  new ValidationPipe({
    whitelist: true,
    forbidNonWhitelisted: true,
    transform: true,
    stopAtFirstError: true,
    // The value may be a credential.
    validationError: { target: false, value: false },
    exceptionFactory: (errors) => toInvalidRequest(errors),
  });

export function toInvalidRequest(errors: readonly ValidationError[]): FerryError {
  const found = firstProblem(errors, '');
  if (found === undefined) return new FerryError('invalid_request');
  return new FerryError('invalid_request', `${found.message}.`, { param: found.path });
}

function firstProblem(
  errors: readonly ValidationError[],
  parent: string,
): { readonly path: string; readonly message: string } | undefined {
  for (const error of errors) {
    const path = joinPath(parent, error.property);
    const message = Object.values(error.constraints ?? {})[0];
    if (message !== undefined) return { path, message };
    const nested = firstProblem(error.children ?? [], path);
    if (nested !== undefined) return nested;
  }
  return undefined;
}

const joinPath = (parent: string, property: string): string => {
  if (parent === '') return property;
  return /^\d+$/.test(property) ? `${parent}[${property}]` : `${parent}.${property}`;
};
