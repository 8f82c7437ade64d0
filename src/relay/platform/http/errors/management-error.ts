import type { FerryError } from '../../../../kernel/errors/ferry-error.js';
import { errorHeaders, type SerializedError } from './serialized-error.js';

const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** Problem details (RFC 9457) for `/api` and everything else that is not one of the public inference routes. */
export function serializeManagementError(error: FerryError, requestId: string): SerializedError {
  const body = {
    type: `urn:ferry:error:${error.code}`,
    title: titleOf(error.code),
    status: error.status,
    detail: error.message,
    code: error.code,
    param: error.param,
    request_id: requestId,
  };
  return { status: error.status, headers: errorHeaders(error, PROBLEM_TYPE), body: JSON.stringify(body) };
}

const titleOf = (code: string): string => code.charAt(0).toUpperCase() + code.slice(1).replaceAll('_', ' ');
