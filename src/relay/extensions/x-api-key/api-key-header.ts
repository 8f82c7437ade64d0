import type { IncomingMessage } from 'node:http';
import { headerValues } from '../../platform/http/header-values.js';
import { pathOf } from '../../platform/http/request-path.js';

const HEADER = 'x-api-key';
const MESSAGES = /^\/v1\/messages(?:\/|$)/;
const MODELS = /^\/v1\/models(?:\/|$)/;

/**
 * The API key of a request without `Authorization`, for the extension `x-api-key`: on the routes of Anthropic's protocol, and on those of the
 * inventory where `anthropic-version` says that the client speaks it.
 */
export function apiKeyHeader(request: IncomingMessage): string | undefined {
  const path = pathOf(request.url ?? '') ?? '';
  const speaksAnthropic =
    MESSAGES.test(path) || (MODELS.test(path) && request.headers['anthropic-version'] !== undefined);
  if (!speaksAnthropic || headerValues(request, 'authorization').length > 0) return undefined;
  const [value, second] = headerValues(request, HEADER);
  return second === undefined ? value?.trim() : undefined;
}
