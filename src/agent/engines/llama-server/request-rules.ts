/** What a request has to become for llama-server, which reads `tool_choice` only as a text and ignores every other form of it. */
import type { EngineModel, EngineRoute } from '../engine.js';
import type { AdaptedRequest } from '../http/http-engine.js';
import { RequestFields } from '../http/request-fields.js';
import { narrowTools, toolFields } from '../http/tool-choice.js';

const lookedAt: ReadonlySet<string> = new Set([...toolFields, 'verbose']);

/** @param wantsMatchedStop `verbose` is the only way in which its chat route tells the stop sequence that it met */
export function adaptToLlamaServer(
  body: Buffer,
  route: EngineRoute,
  _model: EngineModel | undefined,
  wantsMatchedStop: boolean,
): AdaptedRequest {
  if (route !== 'chat') return { body, dropped: [] };
  const fields = new RequestFields(body, lookedAt);
  chooseTools(fields);
  if (wantsMatchedStop) fields.set('verbose', true);
  return { body: fields.changedBody(), dropped: [] };
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
