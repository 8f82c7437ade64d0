import type { FerryError } from '../../../../kernel/errors/ferry-error.js';
import { serializeAnthropicError } from './anthropic-error.js';
import { serializeManagementError } from './management-error.js';
import { serializeOpenAiError } from './openai-error.js';
import { serializeOpenResponsesError } from './openresponses-error.js';
import type { SerializedError } from './serialized-error.js';

export type ErrorSerializer = (error: FerryError, requestId: string) => SerializedError;

/** The error bodies that clients of a URL expect, for failures outside of any controller. */
export function serializerFor(url: string): ErrorSerializer {
  const path = url.split('?', 1)[0] ?? '';
  if (isBelow(path, '/v1/messages')) return serializeAnthropicError;
  if (isBelow(path, '/v1/responses')) return serializeOpenResponsesError;
  return isBelow(path, '/api') || isBelow(path, '/link') ? serializeManagementError : serializeOpenAiError;
}

const isBelow = (path: string, parent: string): boolean => path === parent || path.startsWith(`${parent}/`);
