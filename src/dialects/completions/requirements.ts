/**
 * What a text completion needs: an engine with the route, which the dialect itself says. It has neither media nor tools
 * (docs/reference/requirements.md).
 */
import { isJsonObject, objectIn, type JsonObject } from '../../kernel/json-object.js';
import type { Requirements } from '../requirements.js';

/** Total: tolerates any JSON. */
export const completionsRequirements = (body: JsonObject): Requirements => ({
  hard: { inputs: new Map(), tools: null },
  soft: {
    toolHistory: false,
    forcedTool: false,
    reasoning: false,
    structuredOutput: isJsonObject(body['guided_json']) || 'type' in objectIn(body, 'response_format'),
    logprobs: typeof body['logprobs'] === 'number',
    audioOutput: false,
  },
  remoteMedia: new Map(),
});
