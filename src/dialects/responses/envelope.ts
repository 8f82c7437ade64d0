/**
 * What the relay reads of a responses request: the fields that docs/reference/public-api.md#create-a-response names and what
 * docs/reference/translation.md#rejected-and-dropped-fields lists as 400.
 */
import { elementsOf, isJsonObject, objectIn, type JsonObject } from '../../kernel/json-object.js';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import type { Envelope } from '../envelope.js';
import {
  checkInteger,
  checkNumber,
  checkTextOrTexts,
  invalidField,
  optionalFlag,
  requireBody,
  requireText,
} from '../field-checks.js';
import type { FieldPath } from '../requirements.js';
import { checkInput } from './input-checks.js';
import { itemType } from './item-type.js';
import { declaredTools } from './tools/declared-tools.js';
import { checkToolChoice } from './tools/tool-choice.js';

const integers = ['max_tool_calls', 'top_k', 'top_logprobs', 'seed'] as const;
const numbers = [
  'temperature',
  'top_p',
  'min_p',
  'frequency_penalty',
  'presence_penalty',
  'repetition_penalty',
] as const;
/** Fields for unsupported features. */
const unsupported = ['conversation', 'prompt'] as const;

export interface ResponsesEnvelope extends Envelope {
  readonly dialect: 'responses';
  /** Validated down to the media parts; every other field is unchanged. */
  readonly body: JsonObject;
  readonly previousResponseId: string | null;
  /** Ids of referenced items of earlier answers, which only the node that made them has. */
  readonly itemReferences: readonly string[];
  /** Whether the response may be continued with `previous_response_id`. */
  readonly store: boolean;
}

/** @throws FerryError 400 with the path of the field at fault. */
export function readResponsesEnvelope(json: unknown): ResponsesEnvelope {
  const body = requireBody(json);
  const model = requireText(body, 'model');
  const previousResponseId = optionalText(body, 'previous_response_id');
  checkInput(body, previousResponseId !== null);
  const stream = optionalFlag(body, 'stream');
  checkUnsupported(body);
  checkSettings(body);
  checkTools(body);
  return {
    dialect: 'responses',
    model,
    stream,
    body,
    previousResponseId,
    itemReferences: referencesIn(body['input']),
    store: (body['store'] ?? true) === true,
  };
}

function checkUnsupported(body: JsonObject): void {
  if (optionalFlag(body, 'background')) {
    throw new FerryError('unsupported_parameter', '`background` is not supported: responses are answered at once.', {
      param: 'background',
    });
  }
  for (const name of unsupported) {
    if ((body[name] ?? undefined) !== undefined) {
      throw new FerryError('unsupported_parameter', `\`${name}\` is not supported.`, { param: name });
    }
  }
}

function checkSettings(body: JsonObject): void {
  optionalText(body, 'instructions');
  optionalFlag(body, 'store');
  optionalFlag(body, 'parallel_tool_calls');
  checkInteger(body, 'max_output_tokens');
  for (const name of integers) checkInteger(body, name);
  for (const name of numbers) checkNumber(body, name);
  checkTextOrTexts(body, 'stop');
  for (const name of ['metadata', 'reasoning', 'text']) checkObject(body[name], name);
  checkFormat(objectIn(body, 'text')['format']);
}

function checkFormat(format: unknown): void {
  checkObject(format, 'text.format');
  if (isJsonObject(format) && format['type'] === 'json_schema' && !isJsonObject(format['schema'])) {
    throw invalidField('text.format.schema', 'is required and must be a JSON schema');
  }
}

function checkTools(body: JsonObject): void {
  const tools = body['tools'] ?? [];
  if (!Array.isArray(tools)) throw invalidField('tools', 'must be an array of tools');
  tools.forEach((tool: unknown, index) => {
    const path = `tools[${String(index)}]`;
    if (!isJsonObject(tool) || typeof tool['type'] !== 'string') {
      throw invalidField(path, 'must be an object with a `type`');
    }
    if (tool['type'] === 'function' && (typeof tool['name'] !== 'string' || tool['name'] === '')) {
      throw invalidField(`${path}.name`, 'is required and must be a non-empty string');
    }
  });
  checkToolChoice(body, declaredTools(body).tools);
}

function checkObject(value: unknown, path: FieldPath): void {
  if ((value ?? undefined) !== undefined && !isJsonObject(value)) throw invalidField(path, 'must be an object');
}

function optionalText(body: JsonObject, name: string): string | null {
  const value = body[name] ?? null;
  if (value === null || typeof value === 'string') return value;
  throw invalidField(name, 'must be a string');
}

const referencesIn = (input: unknown): readonly string[] =>
  elementsOf(input).flatMap((item) =>
    isJsonObject(item) && itemType(item) === 'item_reference' && typeof item['id'] === 'string' ? [item['id']] : [],
  );
