import { elementsOf, isJsonObject, type JsonObject } from '../../kernel/json-object.js';

/** A tool that the application runs. Others have a dated type and run, or have their schema, on Anthropic's servers. */
export const isOwnTool = (tool: unknown): tool is JsonObject => isJsonObject(tool) && isOwnType(tool['type'] ?? null);

const isOwnType = (type: unknown): boolean => type === null || type === 'custom';

/** Whether the translated request has tools. */
export const offersTools = (body: JsonObject): boolean =>
  choiceType(body) !== 'none' && elementsOf(body['tools']).some(isOwnTool);

export const choiceType = (body: JsonObject): unknown => {
  const choice = body['tool_choice'];
  return isJsonObject(choice) ? choice['type'] : undefined;
};
