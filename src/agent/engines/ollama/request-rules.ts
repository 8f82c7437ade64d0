/**
 * What a request has to become for Ollama, which silently ignores every field that it does not know (docs/reference/engines.md#ollama):
 * what changes the meaning is said in another way where there is one, and reported to the client where there is none.
 */
import { isJsonObject } from '../../../kernel/json-object.js';
import type { EngineModel, EngineRoute } from '../engine.js';
import type { AdaptedRequest } from '../http/http-engine.js';
import { isFalse, isTrue, moreThanOne, RequestFields, type IgnoredFields } from '../http/request-fields.js';
import { narrowTools, toolFields } from '../http/tool-choice.js';

const isSet = (value: unknown): boolean => value !== undefined;
const hasMembers = (value: unknown): boolean => isJsonObject(value) && Object.keys(value).length > 0;
const hasElements = (value: unknown): boolean => Array.isArray(value) && value.length > 0;

/** With which values a field that Ollama ignores makes a difference. */
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
const lookedAt: Record<EngineRoute, ReadonlySet<string>> = {
  chat: new Set([...Object.keys(ignored.chat), ...toolFields, ...effortFields]),
  completions: new Set(Object.keys(ignored.completions)),
};

export function adaptToOllama(
  body: Buffer,
  route: EngineRoute,
  model: Pick<EngineModel, 'reasoning'> | undefined,
): AdaptedRequest {
  const fields = new RequestFields(body, lookedAt[route]);
  fields.reportIgnored(ignored[route]);
  if (route === 'chat') {
    chooseTools(fields);
    // Ollama refuses the whole request; stock clients send an effort with every one (docs/reference/requirements.md).
    if (model?.reasoning === false) leaveOutEffort(fields);
  }
  return { body: fields.changedBody(), dropped: fields.dropped };
}

function chooseTools(fields: RequestFields): void {
  switch (narrowTools(fields)) {
    case 'none':
      fields.remove('tools');
      return;
    case 'required':
      // Tools that were not chosen are gone; that one of the rest is called cannot be enforced.
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
