/** Changes to chat requests for several engines. */
import { isJsonObject } from '../../../kernel/json-object.js';
import type { ResponseOptions, EngineModel } from '../engine.js';
import type { EngineAdapter } from './engine-adapter.js';
import { RequestFields } from './request-fields.js';

/** Replaced by `tools` and `tool_choice`. Few engines read them, the others ignore them silently. */
export const legacyFunctionFields = ['functions', 'function_call'] as const;

/** Reports them as dropped. @param fields must include {@link legacyFunctionFields} */
export function reportLegacyFunctions(fields: Pick<RequestFields, 'value' | 'reportDropped'>): void {
  const functions = fields.value('functions');
  if (!Array.isArray(functions) || functions.length === 0) return;
  for (const name of legacyFunctionFields) if (fields.value(name) !== undefined) fields.reportDropped(name);
}

/**
 * `adapt` for engines without legacy functions; completions are passed on unchanged.
 * @param names of the fields that `change` reads or writes
 */
export function chatAdapter(
  names: readonly string[],
  change: (fields: RequestFields, wants: ResponseOptions | undefined, model: EngineModel | undefined) => void,
): NonNullable<EngineAdapter['adapt']> {
  const known: ReadonlySet<string> = new Set([...legacyFunctionFields, ...names]);
  return (body, route, model, wants) => {
    if (route !== 'chat') return { body, dropped: [] };
    const fields = new RequestFields(body, known);
    reportLegacyFunctions(fields);
    change(fields, wants, model);
    return { body: fields.changedBody(), dropped: fields.dropped };
  };
}

/** For vLLM and SGLang: requests usage in every chunk, to know the length of the prompt before the first output. */
export const adaptWithContinuousUsage = chatAdapter(['stream_options'], (fields, wants) => {
  requestContinuousUsage(fields, wants);
});

/** @param fields must include `stream_options` */
export function requestContinuousUsage(fields: RequestFields, wants: ResponseOptions | undefined): void {
  if (wants?.promptTokens !== true) return;
  const options = fields.value('stream_options');
  fields.set('stream_options', { ...(isJsonObject(options) ? options : {}), continuous_usage_stats: true });
}
