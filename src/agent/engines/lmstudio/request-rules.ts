/**
 * Adapts requests to LM Studio (docs/reference/engines.md#lm-studio), which answers 400 to some forms that other engines accept and ignores
 * undocumented fields.
 */
import { isJsonObject } from '../../../kernel/json-object.js';
import type { EngineRoute } from '../engine.js';
import type { AdaptedRequest } from '../http/engine-adapter.js';
import { legacyFunctionFields, reportLegacyFunctions } from '../http/chat-adapter.js';
import { isFalse, isTrue, moreThanOne, RequestFields, type IgnoredFields } from '../http/request-fields.js';
import { narrowTools, toolFields } from '../http/tool-choice.js';

/** The values for which an ignored field is reported as dropped. */
const ignored: Record<EngineRoute, IgnoredFields> = {
  chat: {
    n: moreThanOne,
    logprobs: isTrue,
    parallel_tool_calls: isFalse,
  },
  completions: {
    n: moreThanOne,
    best_of: moreThanOne,
    echo: isTrue,
    logprobs: (value) => typeof value === 'number' && value > 0,
  },
};

const lookedAt: Record<EngineRoute, ReadonlySet<string>> = {
  chat: new Set([...Object.keys(ignored.chat), ...toolFields, ...legacyFunctionFields, 'response_format']),
  completions: new Set(Object.keys(ignored.completions)),
};

/** Any JSON object, in the only form of structured output that LM Studio supports. */
const anyObject = { type: 'json_schema', json_schema: { name: 'object', schema: { type: 'object' } } };

/** @param format of the model's files: only the llama.cpp runtime can require a tool call */
export function adaptToLmStudio(body: Buffer, route: EngineRoute, format: string | null): AdaptedRequest {
  const fields = new RequestFields(body, lookedAt[route]);
  fields.reportIgnored(ignored[route]);
  if (route === 'chat') {
    reportLegacyFunctions(fields);
    chooseTools(fields, format !== 'mlx');
    const responseFormat = fields.value('response_format');
    if (isJsonObject(responseFormat) && responseFormat['type'] === 'json_object')
      fields.replace('response_format', anyObject);
  }
  return { body: fields.changedBody(), dropped: fields.dropped };
}

/** LM Studio answers 400 to a `tool_choice` object: it is replaced by a string, with only the chosen tools left. */
function chooseTools(fields: RequestFields, canRequire: boolean): void {
  const mode = narrowTools(fields);
  if (mode === undefined) return;
  if (mode === 'required' && !canRequire) {
    fields.replace('tool_choice', 'auto');
    fields.reportDropped('tool_choice');
    return;
  }
  if (fields.value('tool_choice') !== mode) fields.replace('tool_choice', mode);
}
