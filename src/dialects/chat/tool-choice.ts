/**
 * `tool_choice` against the declared tools (docs/reference/client-protocols.md#chat-completions,
 * docs/reference/translation.md#rejected-and-dropped-fields), in today's and in the old `functions` spelling.
 */
import { elementsOf, isJsonObject, objectIn, type JsonObject } from '../../kernel/json-object.js';
import { invalidField } from '../field-checks.js';
import type { FieldPath } from '../requirements.js';

/** Kinds of tools with a name chosen by the application. Unknown kinds are accepted. */
const namedKinds = ['function', 'custom'] as const;

const nameIn = (tool: JsonObject, kind: string): unknown => objectIn(tool, kind)['name'] ?? tool['name'];

function declaredNames(body: JsonObject): ReadonlySet<unknown> {
  const names = new Set<unknown>();
  for (const tool of elementsOf(body['tools'])) {
    if (isJsonObject(tool)) for (const kind of namedKinds) names.add(nameIn(tool, kind));
  }
  for (const legacy of elementsOf(body['functions'])) if (isJsonObject(legacy)) names.add(legacy['name']);
  names.delete(undefined);
  return names;
}

/** @throws FerryError `invalid_request` */
export function checkToolChoice(body: JsonObject): void {
  const choice = body['tool_choice'] ?? undefined;
  if (choice === 'required' && elementsOf(body['tools']).length === 0) {
    throw invalidField('tool_choice', 'is required but `tools` is empty');
  }
  if (isJsonObject(choice)) checkNamedChoice(choice, 'tool_choice', declaredNames(body));
  const legacy = body['function_call'];
  if (isJsonObject(legacy)) checkDeclared(legacy['name'], 'function_call.name', declaredNames(body));
}

function checkNamedChoice(choice: JsonObject, path: FieldPath, declared: ReadonlySet<unknown>): void {
  const kind = choice['type'];
  if (kind === 'allowed_tools') {
    elementsOf(objectIn(choice, 'allowed_tools')['tools']).forEach((tool, index) => {
      if (isJsonObject(tool)) checkNamedChoice(tool, `${path}.allowed_tools.tools[${String(index)}]`, declared);
    });
    return;
  }
  const named = namedKinds.find((known) => known === kind);
  if (named !== undefined) checkDeclared(nameIn(choice, named), `${path}.${named}.name`, declared);
}

function checkDeclared(name: unknown, path: FieldPath, declared: ReadonlySet<unknown>): void {
  if (!declared.has(name)) throw invalidField(path, 'names a tool that is not declared in `tools`');
}
