/** `functions` and `function_call`, which `tools` and `tool_choice` have replaced: few engines read them, the others ignore them silently. */
import type { AdaptedRequest } from './http-engine.js';
import type { EngineRoute } from '../engine.js';
import { RequestFields } from './request-fields.js';

export const legacyFunctionFields = ['functions', 'function_call'] as const;
const names: ReadonlySet<string> = new Set(legacyFunctionFields);

/** Tells the client that the model does not get them. @param fields must know {@link legacyFunctionFields} */
export function reportLegacyFunctions(fields: Pick<RequestFields, 'value' | 'reportDropped'>): void {
  const functions = fields.value('functions');
  if (!Array.isArray(functions) || functions.length === 0) return;
  for (const name of legacyFunctionFields) if (fields.value(name) !== undefined) fields.reportDropped(name);
}

/** For engines whose requests need no other change. */
export function withoutLegacyFunctions(body: Buffer, route: EngineRoute): AdaptedRequest {
  if (route !== 'chat') return { body, dropped: [] };
  const fields = new RequestFields(body, names);
  reportLegacyFunctions(fields);
  return { body, dropped: fields.dropped };
}
