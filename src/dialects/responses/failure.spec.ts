import { expect, test } from '@jest/globals';
import type { ErrorCode } from '../../kernel/errors/error-catalogue.js';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import { errorEventFields, responseError } from './failure.js';

test.each<[ErrorCode, string]>([
  ['engine_error', 'server_error'],
  ['node_disconnected', 'server_error'],
  ['request_stopped', 'server_error'],
  ['invalid_credential', 'server_error'],
  ['invalid_request', 'invalid_prompt'],
  ['context_length_exceeded', 'context_length_exceeded'],
  ['rate_limit_exceeded', 'rate_limit_exceeded'],
])('a response that failed with %s has a code that clients know: %s', (code, known) => {
  const error = new FerryError(code, 'Why.');
  expect(responseError(error)).toEqual({ code: known, message: 'Why.' });
  expect(errorEventFields(error)).toMatchObject({ code, error: { code } });
});
