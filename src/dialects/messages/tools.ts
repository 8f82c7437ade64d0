import { elementsOf, isJsonObject, type JsonObject } from '../../kernel/json-object.js';

/** A tool that the application runs itself. All others carry a dated type and run on Anthropic's servers, or have a schema only there. */
export const isOwnTool = (tool: unknown): tool is JsonObject => isJsonObject(tool) && isOwnType(tool['type'] ?? null);

const isOwnType = (type: unknown): boolean => type === null || type === 'custom';

/** True when a request ends up with tools that a model can be told about. */
export const offersTools = (body: JsonObject): boolean =>
  choiceType(body) !== 'none' && elementsOf(body['tools']).some(isOwnTool);

export const choiceType = (body: JsonObject): unknown => {
  const choice = body['tool_choice'];
  return isJsonObject(choice) ? choice['type'] : undefined;
};
