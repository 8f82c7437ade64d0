/** What a request has to become for llama-server, which reads `tool_choice` only as a text and ignores every other form of it. */
import type { AnswerWants, EngineModel, EngineRoute } from '../engine.js';
import type { AdaptedRequest } from '../http/http-engine.js';
import { legacyFunctionFields, reportLegacyFunctions } from '../http/legacy-functions.js';
import { RequestFields } from '../http/request-fields.js';
import { narrowTools, toolFields } from '../http/tool-choice.js';

const lookedAt: ReadonlySet<string> = new Set([...toolFields, ...legacyFunctionFields, 'verbose', 'return_progress']);

/** `verbose` is the only way in which its chat route tells the stop sequence that it met; its progress names the length of the prompt. */
export function adaptToLlamaServer(
  body: Buffer,
  route: EngineRoute,
  _model: EngineModel | undefined,
  wants: AnswerWants | undefined,
): AdaptedRequest {
  if (route !== 'chat') return { body, dropped: [] };
  const fields = new RequestFields(body, lookedAt);
  reportLegacyFunctions(fields);
  chooseTools(fields);
  if (wants?.matchedStop === true) fields.set('verbose', true);
  if (wants?.promptTokens === true) fields.set('return_progress', true);
  return { body: fields.changedBody(), dropped: fields.dropped };
}

function chooseTools(fields: RequestFields): void {
  const named = typeof fields.value('tool_choice') !== 'string';
  const mode = narrowTools(fields);
  switch (mode) {
    case 'none':
      // Its template would still show them to the model.
      fields.remove('tools');
      fields.remove('tool_choice');
      return;
    case 'required':
    case 'auto':
      if (named) fields.replace('tool_choice', mode);
      return;
    case undefined:
      return;
  }
}
