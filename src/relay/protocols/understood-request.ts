/**
 * Extracts what the relay needs from the JSON of an inference request. Pure, and runs in two places: here for small bodies, and in the
 * worker that parses large ones, so that objects of hundreds of thousands of keys never reach the event loop.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { JsonObject } from '../../kernel/json-object.js';
import type { ReadRequest } from '../../dialects/protocol.js';
import { protocols } from '../../dialects/protocols.js';
import type { Requirements } from '../../dialects/requirements.js';
import type { Dialect } from '../../kernel/dialect.js';
import type { RequestProfile } from '../routing/selection/costing.js';
import type { Envelope } from '../../dialects/envelope.js';
import { affinityKeysOf } from '../routing/affinity/affinity-keys-of.js';

export interface UnderstoodRequest extends ReadRequest {
  readonly profile: RequestProfile;
}

export interface ReadingParameters {
  readonly dialect: Dialect;
  readonly headers: IncomingHttpHeaders;
  readonly bodyBytes: number;
}

/** @throws FerryError 400 with the path of the field at fault */
export function understand(json: JsonObject, { dialect, headers, bodyBytes }: ReadingParameters): UnderstoodRequest {
  const { envelope, requirements, promptBytes = bodyBytes } = protocols[dialect].read(json);
  return { envelope, requirements, profile: profileOf(headers, envelope, json, promptBytes, requirements) };
}

/** Entry point of the worker. @throws as `understand` */
export function readJson(json: JsonObject, parameters: ReadingParameters): UnderstoodRequest {
  const understood = understand(json, parameters);
  const protocol = protocols[parameters.dialect];
  const envelope = protocol.transferred?.(understood.envelope);
  return envelope === undefined ? understood : { ...understood, envelope };
}

/** Names of the field in all dialects and versions. */
const maximumFields = ['max_completion_tokens', 'max_output_tokens', 'max_tokens'] as const;

/** The input of the cost model: expected size, and keys of the conversation. Reads only the beginning of the prompt. */
export const profileOf = (
  headers: IncomingHttpHeaders,
  { dialect, stream }: Envelope,
  body: JsonObject,
  bodyBytes: number,
  { hard: { inputs } }: Requirements,
): RequestProfile => ({
  demand: { bodyBytes, stream, maxOutputTokens: maximumOf(body), hasMedia: inputs.size > (inputs.has('text') ? 1 : 0) },
  affinity: affinityKeysOf(headers, dialect, body),
});

function maximumOf(body: JsonObject): number | null {
  for (const name of maximumFields) {
    const value = body[name];
    // 0 has a prompt read, which engines do with one token.
    if (typeof value === 'number' && value >= 0) return Math.max(1, value);
  }
  return null;
}
