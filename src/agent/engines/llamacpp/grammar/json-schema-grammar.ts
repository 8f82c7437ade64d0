/**
 * Converts a JSON schema to grammar rules for constrained output. Objects are written in the order of `properties`, optional members may be
 * omitted, and `additionalProperties` must be allowed explicitly. Keywords that a grammar cannot express (`pattern`, `multipleOf`, `not`,
 * numeric bounds other than the sign) are ignored.
 */
import { isExactNumber, stringifyExact } from '../../../../kernel/exact-json.js';
import { isJsonObject, type JsonObject } from '../../../../kernel/json-object.js';
import { engineRejected } from '../failures.js';
import { alternatives, literal, type GrammarRules } from './grammar-rules.js';
import {
  anyJson,
  jsonBoolean,
  jsonInteger,
  jsonNull,
  jsonNumber,
  jsonString,
  quote,
  stringFormats,
  whitespace,
} from './json-rules.js';

const MAX_DEPTH = 100;
const MAX_ARRAY_ITEMS = 500;

const listOf = (value: unknown): readonly unknown[] | undefined =>
  Array.isArray(value) ? (value as unknown[]) : undefined;
/** Reads a number of the schema; digits beyond a double's make no difference there. */
const numberOf = (value: unknown): unknown => (isExactNumber(value) ? Number(value.digits) : value);
function countOf(value: unknown): number | undefined {
  const count = numberOf(value);
  return typeof count === 'number' && Number.isInteger(count) && count >= 0 ? count : undefined;
}

/** Later keywords win; properties and requirements are merged. */
const merge = (first: JsonObject, second: JsonObject): JsonObject => ({
  ...first,
  ...second,
  ...((isJsonObject(first['properties']) || isJsonObject(second['properties'])) && {
    properties: {
      ...(first['properties'] as JsonObject | undefined),
      ...(second['properties'] as JsonObject | undefined),
    },
  }),
  ...((listOf(first['required']) !== undefined || listOf(second['required']) !== undefined) && {
    required: [...(listOf(first['required']) ?? []), ...(listOf(second['required']) ?? [])],
  }),
});

export class JsonSchemaGrammar {
  private readonly references = new Map<string, string>();

  constructor(
    private readonly rules: GrammarRules,
    /** Local references point into this schema. */
    private readonly root: unknown,
  ) {}

  /** Name or expression of a rule for values of the schema. @throws EngineFailure when the schema is too large or too deep. */
  rule(schema: unknown = this.root, depth = 0): string {
    if (depth > MAX_DEPTH) throw engineRejected('the JSON schema is nested too deeply for this engine');
    if (!isJsonObject(schema)) return anyJson(this.rules).value;
    if (typeof schema['$ref'] === 'string') return this.reference(schema['$ref'], depth);
    if ('const' in schema) return literal(stringifyExact(schema['const']));
    const values = listOf(schema['enum']);
    if (values !== undefined && values.length > 0) {
      return this.rules.add('enum', alternatives(values.map((value) => literal(stringifyExact(value)))));
    }
    const combined = this.combination(schema, depth);
    if (combined !== undefined) return combined;
    const nullable = schema['nullable'] === true;
    const expression = this.typed(schema, depth);
    return nullable ? alternatives([expression, jsonNull]) : expression;
  }

  private combination(schema: JsonObject, depth: number): string | undefined {
    for (const keyword of ['anyOf', 'oneOf'] as const) {
      const { [keyword]: choices, ...base } = schema;
      const list = listOf(choices);
      if (list === undefined || list.length === 0) continue;
      const expressions = list.map((choice) =>
        this.rule(isJsonObject(choice) && !('$ref' in choice) ? merge(base, choice) : choice, depth + 1),
      );
      return this.rules.add('any', alternatives(expressions));
    }
    const { allOf, ...base } = schema;
    const parts = listOf(allOf);
    if (parts === undefined || parts.length === 0) return undefined;
    const resolved = parts.map((part) =>
      isJsonObject(part) && typeof part['$ref'] === 'string' ? this.resolve(part['$ref']) : part,
    );
    return this.rule(resolved.filter(isJsonObject).reduce(merge, base), depth + 1);
  }

  private typed(schema: JsonObject, depth: number): string {
    const types = listOf(schema['type']);
    if (types !== undefined && types.length > 0) {
      return this.rules.add('type', alternatives(types.map((type) => this.typed({ ...schema, type }, depth))));
    }
    switch (schema['type']) {
      case 'object':
        return this.object(schema, depth);
      case 'array':
        return this.array(schema, depth);
      case 'string':
        return this.string(schema);
      case 'integer':
        return jsonInteger(this.rules, !isNeverNegative(schema));
      case 'number':
        return jsonNumber(this.rules, !isNeverNegative(schema));
      case 'boolean':
        return jsonBoolean(this.rules);
      case 'null':
        return jsonNull;
      default:
        if (isJsonObject(schema['properties']) || isJsonObject(schema['additionalProperties']))
          return this.object(schema, depth);
        if (isJsonObject(schema['items']) || listOf(schema['prefixItems']) !== undefined)
          return this.array(schema, depth);
        return anyJson(this.rules).value;
    }
  }

  private string(schema: JsonObject): string {
    const format = typeof schema['format'] === 'string' ? stringFormats[schema['format']] : undefined;
    if (format !== undefined) return this.rules.add('format', `${quote} ${format} ${quote}`);
    return jsonString(this.rules, countOf(schema['minLength']), countOf(schema['maxLength']));
  }

  private object(schema: JsonObject, depth: number): string {
    const required = new Set((listOf(schema['required']) ?? []).filter((name) => typeof name === 'string'));
    const declared = isJsonObject(schema['properties']) ? schema['properties'] : {};
    const extra = schema['additionalProperties'];
    const properties: JsonObject = {
      ...declared,
      ...Object.fromEntries([...required].filter((name) => !(name in declared)).map((name) => [name, true])),
    };
    const names = Object.keys(properties).filter((name) => properties[name] !== false);
    // No constraint on the members: any object.
    if (names.length === 0 && !isJsonObject(extra) && extra !== false) return anyJson(this.rules).object;

    const ws = whitespace(this.rules);
    const members = names.map((name) => ({
      required: required.has(name),
      expression: `${literal(JSON.stringify(name))} ":" ${ws} ${this.rule(properties[name], depth + 1)}`,
    }));
    const additional =
      extra === true || isJsonObject(extra)
        ? `${jsonString(this.rules)} ":" ${ws} ${this.rule(extra, depth + 1)}`
        : undefined;
    const body = this.members(members, additional, ws);
    return this.rules.add('object', `"{" ${ws}${body === '' ? '' : ` ${body}`} ${ws} "}"`);
  }

  /** Runs from the last member to the first, with two rules each: with and without a preceding member, because of the comma. */
  private members(
    members: readonly { readonly required: boolean; readonly expression: string }[],
    additional: string | undefined,
    ws: string,
  ): string {
    let following = additional === undefined ? '' : `("," ${ws} ${additional})*`;
    let leading = additional === undefined ? '' : `(${additional} ${following})?`;
    for (const { required, expression } of [...members].reverse()) {
      const present = `${expression} ${following}`;
      const presentAfter = `"," ${ws} ${present}`;
      [leading, following] = required
        ? [this.rules.add('first', present), this.rules.add('more', presentAfter)]
        : [this.rules.add('first', either(present, leading)), this.rules.add('more', either(presentAfter, following))];
    }
    return leading;
  }

  private array(schema: JsonObject, depth: number): string {
    const ws = whitespace(this.rules);
    const prefix = listOf(schema['prefixItems']) ?? listOf(schema['items']);
    const itemSchema = listOf(schema['items']) === undefined ? schema['items'] : schema['additionalItems'];
    if (
      prefix === undefined &&
      itemSchema === undefined &&
      schema['minItems'] === undefined &&
      schema['maxItems'] === undefined
    ) {
      return anyJson(this.rules).array;
    }
    if (prefix !== undefined) {
      const items = prefix.map((item) => this.rule(item, depth + 1)).join(` "," ${ws} `);
      return this.rules.add('tuple', `"[" ${ws} ${items} ${ws} "]"`);
    }
    const item = this.rule(itemSchema ?? true, depth + 1);
    const least = Math.min(countOf(schema['minItems']) ?? 0, MAX_ARRAY_ITEMS);
    const maximum = countOf(schema['maxItems']);
    if (maximum === 0) return this.rules.add('array', `"[" ${ws} "]"`);
    const most = maximum === undefined || maximum > MAX_ARRAY_ITEMS ? '' : String(Math.max(least, maximum) - 1);
    const items = `${item} ("," ${ws} ${item}){${Math.max(0, least - 1)},${most}}`;
    return this.rules.add('array', `"[" ${ws} ${least === 0 ? `(${items})?` : items} ${ws} "]"`);
  }

  /** One rule per reference, so that schemas may be recursive. */
  private reference(reference: string, depth: number): string {
    const known = this.references.get(reference);
    if (known !== undefined) return known;
    const name = this.rules.reserve('ref');
    this.references.set(reference, name);
    return this.rules.define(name, this.rule(this.resolve(reference), depth + 1));
  }

  /** Local references only; an unknown one allows any value. */
  private resolve(reference: string): unknown {
    if (!reference.startsWith('#')) return true;
    const steps = reference.slice(1).split('/').slice(1);
    return steps.reduce<unknown>((value, step) => {
      const key = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
      if (Array.isArray(value)) return (value as unknown[])[Number(key)];
      return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
    }, this.root);
  }
}

const isNeverNegative = (schema: JsonObject): boolean =>
  [schema['minimum'], schema['exclusiveMinimum']]
    .map(numberOf)
    .some((bound) => typeof bound === 'number' && bound >= 0);

/** The expression, or the alternative without it. */
const either = (expression: string, otherwise: string): string =>
  otherwise === '' ? `(${expression})?` : `${expression} | ${otherwise}`;
