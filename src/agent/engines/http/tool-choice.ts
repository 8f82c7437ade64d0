/** `tool_choice` for engines without some of its forms (docs/reference/client-protocols.md#chat-completions). */
import { isJsonObject } from '../../../kernel/json-object.js';
import type { RequestFields } from './request-fields.js';

const modes = ['none', 'auto', 'required'] as const;
type ToolMode = (typeof modes)[number];

/** Fields used by {@link narrowTools}. */
export const toolFields = ['tools', 'tool_choice'] as const;

/**
 * Removes tools that the client's choice does not name, so that an engine without named choices cannot call another one.
 * @returns the mode for the remaining tools; undefined without a choice
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
