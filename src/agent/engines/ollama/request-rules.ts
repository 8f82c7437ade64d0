/**
 * Adapts requests to Ollama, which silently ignores unknown fields (docs/reference/engines.md#ollama). Fields with an effect are translated
 * where Ollama has an equivalent, and reported to the client as dropped where it has none.
 */
import { applySplices, findMembers, NotJsonObjectError } from '../../../kernel/json-members.js';
import { isJsonObject } from '../../../kernel/json-object.js';
import { EngineFailure, type EngineModel, type EngineRoute } from '../engine.js';
import type { AdaptedRequest } from '../http/engine-adapter.js';
import {
  beginningOf,
  isFalse,
  isTrue,
  moreThanOne,
  RequestFields,
  type IgnoredFields,
} from '../http/request-fields.js';
import { narrowTools, toolFields } from '../http/tool-choice.js';
import { booleanSchemas } from './boolean-schemas.js';

const TRUE = Buffer.from('true');
const FALSE = Buffer.from('false');

const isSet = (value: unknown): boolean => value !== undefined;
const hasMembers = (value: unknown): boolean => isJsonObject(value) && Object.keys(value).length > 0;
const hasElements = (value: unknown): boolean => Array.isArray(value) && value.length > 0;

/** The values for which an ignored field is reported as dropped. */
const ignoredEverywhere: IgnoredFields = {
  n: moreThanOne,
  logit_bias: hasMembers,
  top_k: isSet,
  min_p: isSet,
  repetition_penalty: isSet,
  repeat_penalty: isSet,
};
const ignored: Record<EngineRoute, IgnoredFields> = {
  chat: {
    ...ignoredEverywhere,
    parallel_tool_calls: isFalse,
    functions: hasElements,
    verbosity: isSet,
  },
  completions: { ...ignoredEverywhere, best_of: moreThanOne, echo: isTrue },
};

const effortFields = ['reasoning_effort', 'reasoning'] as const;
const limitFields = ['max_completion_tokens', 'max_tokens'] as const;
const lookedAt: Record<EngineRoute, ReadonlySet<string>> = {
  chat: new Set([...Object.keys(ignored.chat), ...toolFields, ...effortFields, ...limitFields]),
  completions: new Set([...Object.keys(ignored.completions), ...limitFields]),
};

export function adaptToOllama(
  body: Buffer,
  route: EngineRoute,
  model: Pick<EngineModel, 'reasoning'> | undefined,
): AdaptedRequest {
  const fields = new RequestFields(body, lookedAt[route]);
  refuseNoTokens(fields);
  fields.reportIgnored(ignored[route]);
  if (route === 'chat') {
    chooseTools(fields);
    // Ollama would refuse the request, but common clients always send an effort (docs/reference/requirements.md).
    if (model?.reasoning === false) leaveOutEffort(fields);
  }
  const changed = fields.changedBody();
  return { body: route === 'chat' ? withoutBooleanSchemas(changed) : changed, dropped: fields.dropped };
}

const toolsKey: ReadonlySet<string> = new Set(['tools']);

function withoutBooleanSchemas(body: Buffer): Buffer {
  if (!body.includes(TRUE) && !body.includes(FALSE)) return body;
  try {
    const tools = findMembers(body, toolsKey, beginningOf(body)).members.at(-1);
    const splices = tools === undefined ? [] : booleanSchemas(body, tools.start);
    return splices.length === 0 ? body : Buffer.concat(applySplices(body, splices));
  } catch (error) {
    // Refused with a 400 by the rewriting that follows.
    if (error instanceof NotJsonObjectError) return body;
    throw error;
  }
}

/** Ollama would take zero for no limit. */
function refuseNoTokens(fields: RequestFields): void {
  const param = limitFields.find((name) => fields.value(name) === 0);
  if (param === undefined) return;
  const message = `${param} must be at least 1.`;
  throw new EngineFailure({ code: 'invalid_request', status: 400, message, param, retry_after_seconds: null });
}

function chooseTools(fields: RequestFields): void {
  switch (narrowTools(fields)) {
    case 'none':
      fields.remove('tools');
      return;
    case 'required':
      // Only the chosen tools are left, but Ollama cannot enforce a call.
      fields.reportDropped('tool_choice');
      return;
    case 'auto':
    case undefined:
      return;
  }
}

function leaveOutEffort(fields: RequestFields): void {
  for (const name of effortFields) {
    const value = fields.value(name);
    if (value === undefined) continue;
    fields.remove(name);
    const effort = isJsonObject(value) ? value['effort'] : value;
    if (effort !== 'none') fields.reportDropped(name);
  }
}
