/**
 * `true` and `false` are schemas since JSON Schema draft 6, and Ollama's parser refuses a whole request for one in any tool. By bytes, so that
 * the numbers of a schema keep their digits.
 */
import { findElements, findMembers, type JsonMember, type Splice } from '../../../kernel/json-members.js';

const functionKey: ReadonlySet<string> = new Set(['function']);
const parametersKey: ReadonlySet<string> = new Set(['parameters']);
const everyKey = { has: () => true };
/** Keywords by what they hold. Booleans elsewhere, such as in `default`, are values. */
const schemaHolders: ReadonlySet<string> = new Set([
  'items',
  'additionalItems',
  'additionalProperties',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contains',
  'propertyNames',
  'contentSchema',
  'not',
  'if',
  'then',
  'else',
]);
const listHolders: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items']);
const mapHolders: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'definitions',
]);
const keywords: ReadonlySet<string> = new Set([...schemaHolders, ...listHolders, ...mapHolders]);
/** Deeper ones stay as they are. */
const DEPTH_LIMIT = 64;

const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const replacements: ReadonlyMap<string, string> = new Map([
  ['true', '{}'],
  ['false', '{"not":{}}'],
]);

/**
 * Replacements of the boolean schemas in `tools`.
 * @param tools offset of the list
 */
export function booleanSchemas(json: Buffer, tools: number): readonly Splice[] {
  const splices: Splice[] = [];
  for (const tool of findElements(json, tools)) {
    const called = lastOf(json, tool.start, functionKey);
    const parameters = called && lastOf(json, called.start, parametersKey);
    if (parameters !== undefined) lookIn(json, parameters, splices, DEPTH_LIMIT);
  }
  return splices;
}

function lastOf(json: Buffer, from: number, wanted: ReadonlySet<string>): JsonMember | undefined {
  return json[from] === OPEN_BRACE ? findMembers(json, wanted, from).members.at(-1) : undefined;
}

function lookIn(
  json: Buffer,
  { start, end }: Pick<JsonMember, 'start' | 'end'>,
  splices: Splice[],
  depth: number,
): void {
  if (depth === 0) return;
  if (json[start] !== OPEN_BRACE) {
    const text = end - start > 'false'.length ? undefined : replacements.get(json.toString('latin1', start, end));
    if (text !== undefined) splices.push({ start, end, text });
    return;
  }
  for (const member of findMembers(json, keywords, start).members) {
    for (const schema of schemasIn(json, member)) lookIn(json, schema, splices, depth - 1);
  }
}

function schemasIn(json: Buffer, member: JsonMember): readonly Pick<JsonMember, 'start' | 'end'>[] {
  const { key, start } = member;
  if (json[start] === OPEN_BRACKET) return listHolders.has(key) ? findElements(json, start) : [];
  if (schemaHolders.has(key)) return [member];
  return mapHolders.has(key) && json[start] === OPEN_BRACE ? findMembers(json, everyKey, start).members : [];
}
