/**
 * The tools of a request that are passed to the engine, under names valid in chat
 * (docs/reference/translation.md#responses-request-to-chat).
 */
import { elementsOf, isJsonObject, type JsonObject } from '../../../kernel/json-object.js';
import { hasEffect } from '../../field-checks.js';
import type { FieldPath } from '../../requirements.js';

export interface DeclaredTool {
  /** `custom` takes free text instead of arguments. */
  readonly kind: 'function' | 'custom';
  /** The client's name, within its namespace if any. */
  readonly name: string;
  readonly namespace: string | null;
  /** The name for the engine. */
  readonly chatName: string;
  readonly declaration: JsonObject;
}

interface Declarations {
  readonly tools: readonly DeclaredTool[];
  /** Hosted tools, which are not available here (Codex sends `web_search` with every request), and what chat has no field for. */
  readonly dropped: readonly FieldPath[];
}

/** What a model is told of a tool, or kept from it, that chat has no field for. */
const ofTool = ['allowed_callers', 'async', 'defer_loading', 'output_schema'] as const;
/** The strictest limit of engines. */
const MAX_NAME_CHARACTERS = 64;

/** Never throws: an invalid element counts as hosted. */
export function declaredTools(body: JsonObject): Declarations {
  const tools: DeclaredTool[] = [];
  const dropped: FieldPath[] = [];
  const taken = new Set<string>();
  const visit = (tool: unknown, path: FieldPath, namespace: string | null): void => {
    const type = isJsonObject(tool) ? tool['type'] : undefined;
    if (!isJsonObject(tool) || typeof tool['name'] !== 'string') {
      dropped.push(path);
    } else if (type === 'function' || type === 'custom') {
      const { name } = tool;
      const chatName = freeName(namespace === null ? name : `${namespace}__${name}`, taken);
      tools.push({ kind: type, name, namespace, chatName, declaration: tool });
      for (const member of ofTool) if (hasEffect(tool[member])) dropped.push(`${path}.${member}`);
    } else if (type === 'namespace' && namespace === null) {
      const { name } = tool;
      if (hasEffect(tool['description'])) dropped.push(`${path}.description`);
      elementsOf(tool['tools']).forEach((inner, index) => {
        visit(inner, `${path}.tools[${String(index)}]`, name);
      });
    } else {
      dropped.push(path);
    }
  };
  elementsOf(body['tools']).forEach((tool, index) => {
    visit(tool, `tools[${String(index)}]`, null);
  });
  return { tools, dropped };
}

/** The name if it is unused; flattened names may collide or be too long. */
function freeName(wanted: string, taken: Set<string>): string {
  let name = wanted.slice(0, MAX_NAME_CHARACTERS);
  for (let copy = 2; taken.has(name); copy += 1) {
    const suffix = `_${String(copy)}`;
    name = wanted.slice(0, MAX_NAME_CHARACTERS - suffix.length) + suffix;
  }
  taken.add(name);
  return name;
}

/** Finds the tool of a choice or an earlier call. Clients may omit the namespace of an unambiguous name. */
export function findTool(
  tools: readonly DeclaredTool[],
  kind: unknown,
  name: unknown,
  namespace: unknown,
): DeclaredTool | undefined {
  const named = tools.filter((tool) => tool.kind === kind && tool.name === name);
  const wanted = namespace ?? null;
  return named.find((tool) => tool.namespace === wanted) ?? (wanted === null ? named[0] : undefined);
}
