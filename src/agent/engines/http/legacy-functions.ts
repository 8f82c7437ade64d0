/** `functions` and `function_call`, which `tools` and `tool_choice` have replaced: few engines read them, the others ignore them silently. */
import { type RequestFields } from './request-fields.js';

export const legacyFunctionFields = ['functions', 'function_call'] as const;

/** Tells the client that the model does not get them. @param fields must know {@link legacyFunctionFields} */
export function reportLegacyFunctions(fields: Pick<RequestFields, 'value' | 'reportDropped'>): void {
  const functions = fields.value('functions');
  if (!Array.isArray(functions) || functions.length === 0) return;
  for (const name of legacyFunctionFields) if (fields.value(name) !== undefined) fields.reportDropped(name);
}
