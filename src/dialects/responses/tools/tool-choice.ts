/**
 * `tool_choice` against the declared tools (docs/reference/client-protocols.md#responses,
 * docs/reference/translation.md#rejected-and-dropped-fields).
 */
import { elementsOf, isJsonObject, type JsonObject } from '../../../kernel/json-object.js';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { invalidField } from '../../field-checks.js';
import type { FieldPath } from '../../requirements.js';
import { findTool, type DeclaredTool } from './declared-tools.js';

const modes: readonly unknown[] = ['none', 'auto', 'required'];

/** @throws FerryError 400 when no model can satisfy the choice */
export function checkToolChoice(body: JsonObject, tools: readonly DeclaredTool[]): void {
  const choice = body['tool_choice'] ?? undefined;
  if (choice === undefined) return;
  if (isJsonObject(choice)) {
    checkNamedChoice(choice, tools);
    return;
  }
  if (!modes.includes(choice)) throw invalidField('tool_choice', 'must be none, auto, required or name a tool');
  if (choice === 'required' && tools.length === 0) {
    throw invalidField('tool_choice', 'is required but `tools` has none that the model could be given');
  }
}

function checkNamedChoice(choice: JsonObject, tools: readonly DeclaredTool[]): void {
  switch (choice['type']) {
    case 'function':
    case 'custom':
      checkDeclared(choice, 'tool_choice', tools);
      return;
    case 'allowed_tools':
      checkAllowedTools(choice, tools);
      return;
    default:
      throw new FerryError('unsupported_parameter', '`tool_choice` names a tool that nothing here can run.', {
        param: 'tool_choice',
      });
  }
}

function checkAllowedTools(choice: JsonObject, tools: readonly DeclaredTool[]): void {
  const mode = choice['mode'] ?? 'auto';
  if (mode !== 'auto' && mode !== 'required') throw invalidField('tool_choice.mode', 'must be auto or required');
  const allowed = choice['tools'];
  if (!Array.isArray(allowed)) throw invalidField('tool_choice.tools', 'must be an array of tools');
  allowed.forEach((named: unknown, index) => {
    const path = `tool_choice.tools[${String(index)}]`;
    if (!isJsonObject(named)) throw invalidField(path, 'must be an object with a `type`');
    if (isOurs(named)) checkDeclared(named, path, tools);
  });
  if (mode === 'required' && allowedTools(choice, tools).length === 0) {
    throw invalidField('tool_choice.tools', 'requires a call but allows no tool that the model could be given');
  }
}

function checkDeclared(named: JsonObject, path: FieldPath, tools: readonly DeclaredTool[]): void {
  if (typeof named['name'] !== 'string') throw invalidField(`${path}.name`, 'is required and must be a string');
  if (findNamed(named, tools) === undefined) {
    throw invalidField(`${path}.name`, 'names a tool that is not declared in `tools`');
  }
}

/** Hosted tools are dropped from `tools` and from the allowed ones. */
const isOurs = (named: JsonObject): boolean => named['type'] === 'function' || named['type'] === 'custom';

const findNamed = (named: JsonObject, tools: readonly DeclaredTool[]): DeclaredTool | undefined =>
  findTool(tools, named['type'], named['name'], named['namespace']);

/** The declared tools that an `allowed_tools` choice allows. */
export const allowedTools = (choice: JsonObject, tools: readonly DeclaredTool[]): readonly DeclaredTool[] => {
  const allowed = new Set(
    elementsOf(choice['tools']).map((named) => (isJsonObject(named) ? findNamed(named, tools) : undefined)),
  );
  return tools.filter((tool) => allowed.has(tool));
};

/** The one tool that a choice of a single tool names. */
export const chosenTool = findNamed;
