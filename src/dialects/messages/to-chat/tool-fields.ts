import { hasEffect } from '../../field-checks.js';
import { elementsOf, isJsonObject, objectIn, type JsonObject } from '../../../kernel/json-object.js';
import type { ChatTool } from './chat-request.js';
import { choiceType, isOwnTool, offersTools } from '../tools.js';

/** What a model is told of a tool, or kept from it, that chat has no field for. */
const ofTool = ['allowed_callers', 'defer_loading', 'input_examples'] as const;

const NO_PARAMETERS: JsonObject = { type: 'object', properties: {} };

/** `tools`, `tool_choice` and `parallel_tool_calls` of the chat request; none without tools, which engines refuse. */
export function toolFields(body: JsonObject, drop: (path: string) => void): JsonObject {
  const tools: ChatTool[] = [];
  elementsOf(body['tools']).forEach((tool, index) => {
    if (!isOwnTool(tool)) {
      drop(`tools[${index}]`);
      return;
    }
    tools.push(chatTool(tool));
    for (const name of ofTool) if (hasEffect(tool[name])) drop(`tools[${index}].${name}`);
  });
  // Some engines ignore `none`.
  if (!offersTools(body)) return {};
  const choice = chatChoice(body, drop);
  return {
    tools,
    ...(choice !== undefined && { tool_choice: choice }),
    ...(objectIn(body, 'tool_choice')['disable_parallel_tool_use'] === true && { parallel_tool_calls: false }),
  };
}

const chatTool = ({ name, description, input_schema: schema, strict }: JsonObject): ChatTool => ({
  type: 'function',
  function: {
    name: String(name),
    ...(typeof description === 'string' && { description }),
    parameters: isJsonObject(schema) ? schema : NO_PARAMETERS,
    ...(typeof strict === 'boolean' && { strict }),
  },
});

function chatChoice(body: JsonObject, drop: (path: string) => void): unknown {
  const type = choiceType(body);
  switch (type) {
    case undefined:
      return undefined;
    case 'auto':
      return 'auto';
    case 'any':
      return 'required';
    case 'tool':
      return { type: 'function', function: { name: objectIn(body, 'tool_choice')['name'] } };
    default:
      drop('tool_choice');
      return undefined;
  }
}
