/** Converts tools and `tool_choice` to chat (docs/reference/translation.md#responses-request-to-chat). */
import { isJsonObject, objectIn, type JsonObject } from '../../../kernel/json-object.js';
import type { DeclaredTool } from '../tools/declared-tools.js';
import { allowedTools, chosenTool } from '../tools/tool-choice.js';

interface ToolUse {
  readonly offered: readonly DeclaredTool[];
  readonly choice: unknown;
}

/** The chat fields; empty without tools, because engines refuse a choice without tools. */
export function chatToolFields(request: JsonObject, tools: readonly DeclaredTool[]): JsonObject {
  const { offered, choice } = useOf(request['tool_choice'], tools);
  if (offered.length === 0) return {};
  const parallel = request['parallel_tool_calls'];
  return {
    tools: offered.map(chatTool),
    ...(choice !== undefined && { tool_choice: choice }),
    ...(typeof parallel === 'boolean' && { parallel_tool_calls: parallel }),
  };
}

function useOf(choice: unknown, tools: readonly DeclaredTool[]): ToolUse {
  // Some engines ignore `none`, so the tools are removed (docs/reference/translation.md#rejected-and-dropped-fields).
  if (choice === 'none') return { offered: [], choice: undefined };
  if (!isJsonObject(choice)) return { offered: tools, choice: choice ?? undefined };
  if (choice['type'] === 'allowed_tools') {
    // Filtered here for engines without such a choice.
    return { offered: allowedTools(choice, tools), choice: choice['mode'] ?? 'auto' };
  }
  const chosen = chosenTool(choice, tools);
  if (chosen === undefined) return { offered: tools, choice: undefined };
  return { offered: tools, choice: { type: 'function', function: { name: chosen.chatName } } };
}

function chatTool({ kind, chatName, declaration }: DeclaredTool): JsonObject {
  const described = kind === 'custom' ? customFunction(declaration) : plainFunction(declaration);
  return { type: 'function', function: { name: chatName, ...described } };
}

function plainFunction({ description, parameters, strict }: JsonObject): JsonObject {
  return {
    ...(typeof description === 'string' && { description }),
    parameters: isJsonObject(parameters) ? parameters : { type: 'object', properties: {} },
    ...(typeof strict === 'boolean' && { strict }),
  };
}

/** Chat has no free-text tools: the text becomes the only argument, which the response unwraps. */
function customFunction(declaration: JsonObject): JsonObject {
  const format = objectIn(declaration, 'format');
  const description = [
    declaration['description'],
    format['type'] === 'grammar' ? grammarNote(format) : undefined,
  ].filter((text) => typeof text === 'string' && text !== '');
  return {
    ...(description.length > 0 && { description: description.join('\n\n') }),
    parameters: { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] },
  };
}

const grammarNote = ({ syntax, definition }: JsonObject): string | undefined =>
  typeof definition === 'string'
    ? `The input must follow this ${typeof syntax === 'string' ? `${syntax} ` : ''}grammar:\n${definition}`
    : undefined;
