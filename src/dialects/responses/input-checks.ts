/**
 * `input` of a responses request: malformed parts and items are 400, unknown ones are not
 * (docs/reference/translation.md#rejected-and-dropped-fields).
 */
import { isJsonObject, type JsonObject } from '../../kernel/json-object.js';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import { invalidField, missingField } from '../field-checks.js';
import { isBase64, isDataUri, isWebAddress } from '../media-source.js';
import type { FieldPath } from '../requirements.js';
import { itemType } from './item-type.js';
import { mediaOf } from './media-parts.js';

const roles = ['user', 'assistant', 'system', 'developer'] as const;

/** @throws FerryError 400 with the path of the item, part or field at fault. */
export function checkInput(body: JsonObject, continues: boolean): void {
  const { input } = body;
  if (typeof input === 'string') return;
  if (!Array.isArray(input)) throw missingField(body, 'input', 'is required and must be a string or an array of items');
  if (input.length === 0 && !continues) throw invalidField('input', 'must not be empty');
  input.forEach((item: unknown, index) => {
    const path = `input[${String(index)}]`;
    if (!isJsonObject(item)) throw invalidField(path, 'must be an object');
    checkItem(item, path);
  });
}

function checkItem(item: JsonObject, path: FieldPath): void {
  switch (itemType(item)) {
    case undefined:
      throw invalidField(`${path}.type`, 'must be a string');
    case 'message':
      checkMessage(item, path);
      return;
    case 'function_call':
    case 'custom_tool_call':
      requireTextIn(item, 'call_id', path);
      requireTextIn(item, 'name', path);
      return;
    case 'function_call_output':
    case 'custom_tool_call_output':
      requireTextIn(item, 'call_id', path);
      checkContent(item['output'], `${path}.output`);
      return;
    case 'item_reference':
      requireTextIn(item, 'id', path);
      return;
    default:
  }
}

function checkMessage(item: JsonObject, path: FieldPath): void {
  const role = item['role'];
  if (!roles.some((known) => known === role)) throw invalidField(`${path}.role`, `must be one of ${roles.join(', ')}`);
  const content = item['content'] ?? undefined;
  // A turn of tool calls only has no content.
  if (content === undefined && role === 'assistant') return;
  checkContent(content, `${path}.content`);
}

function checkContent(content: unknown, path: FieldPath): void {
  if (typeof content === 'string') return;
  if (!Array.isArray(content)) throw invalidField(path, 'must be a string or an array of content parts');
  content.forEach((part: unknown, index) => {
    checkPart(part, `${path}[${String(index)}]`);
  });
}

function checkPart(part: unknown, path: FieldPath): void {
  if (!isJsonObject(part) || typeof part['type'] !== 'string') {
    throw invalidField(path, 'must be an object with a `type`');
  }
  const media = mediaOf(part, path);
  if (media === undefined) return;
  const { source, fields, kind } = media;
  if (source === undefined) {
    if (fields.length === 0) return;
    throw invalidField(path, `needs a non-empty ${fields.join(' or ')}`);
  }
  switch (source.form) {
    case 'address':
      if (!isWebAddress(source.text) && !isDataUri(source.text))
        throw invalidField(source.path, 'must be a base64 data URI');
      return;
    case 'data':
      if (!isBase64(source.text) && !isDataUri(source.text)) throw invalidField(source.path, 'must be base64');
      return;
    case 'reference':
      // Chat has no equivalent for an uploaded image; the id of a file is passed to the engine.
      if (kind === 'file') return;
      throw new FerryError('unsupported_parameter', `\`${source.path}\`: send the media itself, as a data URI.`, {
        param: source.path,
      });
    default:
      source.form satisfies never;
  }
}

function requireTextIn(item: JsonObject, name: string, path: FieldPath): void {
  const value = item[name];
  if (typeof value !== 'string' || value === '') {
    throw invalidField(`${path}.${name}`, 'is required and must be a non-empty string');
  }
}
