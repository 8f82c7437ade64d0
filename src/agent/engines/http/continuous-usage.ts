/** What requests to vLLM and SGLang need: both can tell their usage in every chunk, so that the length of the prompt is known before the first output. */
import { isJsonObject } from '../../../kernel/json-object.js';
import type { AnswerWants, EngineModel, EngineRoute } from '../engine.js';
import type { AdaptedRequest } from './http-engine.js';
import { legacyFunctionFields, reportLegacyFunctions } from './legacy-functions.js';
import { RequestFields } from './request-fields.js';

const lookedAt: ReadonlySet<string> = new Set([...legacyFunctionFields, 'stream_options']);

export function adaptWithContinuousUsage(
  body: Buffer,
  route: EngineRoute,
  _model: EngineModel | undefined,
  wants: AnswerWants | undefined,
): AdaptedRequest {
  if (route !== 'chat') return { body, dropped: [] };
  const fields = new RequestFields(body, lookedAt);
  reportLegacyFunctions(fields);
  if (wants?.promptTokens === true) {
    const options = fields.value('stream_options');
    fields.set('stream_options', { ...(isJsonObject(options) ? options : {}), continuous_usage_stats: true });
  }
  return { body: fields.changedBody(), dropped: fields.dropped };
}
