import type { IncomingHttpHeaders } from 'node:http';
import type { JsonObject } from '../../../kernel/json-object.js';
import type { Envelope } from '../../../dialects/envelope.js';
import type { Requirements } from '../../../dialects/requirements.js';
import { affinityKeysOf } from '../affinity/affinity-keys-of.js';
import type { RequestProfile } from './costing.js';

/** The field's names over the dialects and their ages. */
const maximumFields = ['max_completion_tokens', 'max_output_tokens', 'max_tokens'] as const;

/** What choosing a node takes from a request: how long it may take, and where its conversation was. Reads the head of the prompt only. */
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
    if (typeof value === 'number' && value > 0) return value;
  }
  return null;
}
