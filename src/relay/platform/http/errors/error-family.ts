import type { Protocol } from '../../../../dialects/protocol.js';
import { allProtocols } from '../../../../dialects/protocols.js';
import type { FerryError } from '../../../../kernel/errors/ferry-error.js';
import { serializeAnthropicError } from './anthropic-error.js';
import { serializeManagementError } from './management-error.js';
import { serializeOpenAiError } from './openai-error.js';
import { serializeOpenResponsesError } from './openresponses-error.js';
import type { SerializedError } from './serialized-error.js';

export type ErrorSerializer = (error: FerryError, requestId: string) => SerializedError;

/** Of the formats that inference protocols have. */
export const serializers: Readonly<Record<Protocol['errors'], ErrorSerializer>> = {
  openai: serializeOpenAiError,
  openresponses: serializeOpenResponsesError,
  anthropic: serializeAnthropicError,
};

/** The error bodies that clients of a URL expect, for failures outside of any controller. */
export function serializerFor(url: string): ErrorSerializer {
  const path = url.split('?', 1)[0] ?? '';
  const protocol = allProtocols.find((candidate) => isBelow(path, candidate.path));
  if (protocol !== undefined) return serializers[protocol.errors];
  return isBelow(path, '/api') || isBelow(path, '/link') ? serializeManagementError : serializeOpenAiError;
}

const isBelow = (path: string, parent: string): boolean => path === parent || path.startsWith(`${parent}/`);
