/** `tool_choice` for engines that do not know all of its forms (docs/reference/client-protocols.md#chat-completions). */
import { isJsonObject } from '../../../kernel/json-object.js';
import type { RequestFields } from './request-fields.js';

const modes = ['none', 'auto', 'required'] as const;
export type ToolMode = (typeof modes)[number];

/** What {@link narrowTools} looks at. */
export const toolFields = ['tools', 'tool_choice'] as const;

/**
 * Leaves in `tools` only those that the client's choice names, so that an engine which knows no named choice can at least not call
 * another tool.
 * @returns how the remaining tools are to be used; undefined when the client leaves that to the engine
 */
export function narrowTools(fields: RequestFields): ToolMode | undefined {
  const choice = fields.value('tool_choice');
  const mode = modes.find((known) => known === choice);
  if (mode !== undefined || !isJsonObject(choice)) return mode;
  const allowed = isJsonObject(choice['allowed_tools']) ? choice['allowed_tools'] : choice;
  const names = choice['type'] === 'allowed_tools' ? namesOf(allowed['tools']) : namesOf([choice]);
  const tools = fields.value('tools');
  if (names.size > 0 && Array.isArray(tools)) {
    fields.replace(
      'tools',
      tools.filter((tool) => names.has(nameOf(tool))),
    );
  }
  return choice['type'] === 'allowed_tools' && allowed['mode'] !== 'required' ? 'auto' : 'required';
}

const namesOf = (tools: unknown): ReadonlySet<unknown> => {
  const names = new Set<unknown>(Array.isArray(tools) ? tools.map(nameOf) : []);
  names.delete(undefined);
  return names;
};

/** `{ type: 'function', function: { name } }`, or the flat form of newer clients. */
function nameOf(tool: unknown): unknown {
  if (!isJsonObject(tool)) return undefined;
  const nested = [tool['function'], tool['custom']].find(isJsonObject);
  return nested?.['name'] ?? tool['name'];
}
