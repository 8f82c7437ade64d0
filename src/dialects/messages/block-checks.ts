/** Content of messages: what a translation relies on, and what docs/reference/translation.md#rejected-and-dropped-fields lists as 400. */
import { elementsOf, isJsonObject, type JsonObject } from '../../kernel/json-object.js';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import { invalidField } from '../field-checks.js';
import { isBase64, isDataUri, isWebAddress } from '../media-source.js';
import type { FieldPath } from '../requirements.js';
import { sourceOf } from './sources.js';

/** Documents in results in messages; no format nests deeper. */
const NESTING_LIMIT = 8;

/**
 * The content of a message of the conversation, where null is nothing.
 * @throws FerryError 400, also for a turn of the user of which the model could be told nothing
 */
export function checkMessageContent(content: unknown, path: FieldPath, role: unknown): void {
  if (content === null) return;
  checkContent(content, path);
  const unknown = elementsOf(content).map((block) => (isUnknown(block) ? String(block['type']) : undefined));
  if (role !== 'user' || unknown.length === 0 || unknown.includes(undefined)) return;
  throw invalidField(path, `has only blocks of types that are not known here: ${unknown.map(nameOf).join(', ')}`);
}

const TYPE_NAME = /^[\w.-]{1,60}$/;
const nameOf = (type: string | undefined): string => (type !== undefined && TYPE_NAME.test(type) ? type : '…');

/** @throws FerryError 400 with the path of the block at fault */
export function checkContent(content: unknown, path: FieldPath, depth = NESTING_LIMIT): void {
  if (typeof content === 'string') return;
  if (!Array.isArray(content)) throw invalidField(path, 'must be a string or an array of content blocks');
  if (depth === 0) throw invalidField(path, 'is nested too deeply');
  content.forEach((block: unknown, index) => {
    checkBlock(block, `${path}[${index}]`, depth - 1);
  });
}

function checkBlock(block: unknown, path: FieldPath, depth: number): void {
  if (!isJsonObject(block)) throw invalidField(path, 'must be an object with a `type`');
  switch (block['type']) {
    case 'text':
      if (typeof block['text'] !== 'string') throw invalidField(`${path}.text`, 'must be a string');
      return;
    case 'image':
    case 'document':
      checkSource(block, `${path}.source`, depth);
      return;
    case 'container_upload':
      throw uploaded(path);
    case 'tool_use':
      requireTextIn(block, 'id', path);
      requireTextIn(block, 'name', path);
      return;
    case 'tool_result':
      requireTextIn(block, 'tool_use_id', path);
      if (block['content'] != null) checkContent(block['content'], `${path}.content`, depth);
      return;
    case 'mid_conv_system':
      if (block['content'] != null) checkContent(block['content'], `${path}.content`, depth);
      return;
    default:
      // Anthropic's API grows, and clients repeat its newer blocks in every request: they are dropped and reported.
      if (typeof block['type'] !== 'string') throw invalidField(`${path}.type`, 'must be a string');
  }
}

/** Blocks without an equivalent in chat: dropped and reported to the client. */
const otherTypes: ReadonlySet<string> = new Set([
  'search_result',
  'thinking',
  'redacted_thinking',
  'tool_reference',
  'compaction',
  'fallback',
  'tool_addition',
  'tool_removal',
  'mcp_tool_listing',
]);
/** `server_tool_use`, `web_search_tool_result` and others: actions of Anthropic's servers earlier in the conversation. */
const SERVER_TOOL = /^[a-z][a-z_]{0,99}_tool_(?:use|result)$/;

const translatedTypes: ReadonlySet<string> = new Set([
  'text',
  'image',
  'document',
  'container_upload',
  'tool_use',
  'tool_result',
  'mid_conv_system',
  'connector_text',
]);

const isUnknown = (block: unknown): block is JsonObject => {
  const type = isJsonObject(block) ? block['type'] : undefined;
  return typeof type === 'string' && !translatedTypes.has(type) && !otherTypes.has(type) && !SERVER_TOOL.test(type);
};

function checkSource(block: JsonObject, path: FieldPath, depth: number): void {
  const source = sourceOf(block);
  const isImage = block['type'] === 'image';
  if (source === undefined || (isImage && (source.kind === 'text' || source.kind === 'content'))) {
    throw invalidField(path, 'must be base64 with `media_type` and `data`');
  }
  switch (source.kind) {
    case 'base64':
      if (!isBase64(source.data)) throw invalidField(`${path}.data`, 'must be base64');
      return;
    case 'url':
      // Web addresses are refused later, by the router, because a missing capability of the model is the better error.
      if (!isWebAddress(source.url) && !isDataUri(source.url)) throw invalidField(`${path}.url`, 'must be a URL');
      return;
    case 'content':
      checkContent(source.content, `${path}.content`, depth);
      return;
    case 'file':
      throw uploaded(path);
    case 'text':
      return;
    default:
      source satisfies never;
  }
}

function requireTextIn(block: JsonObject, name: string, path: FieldPath): void {
  const value = block[name];
  if (typeof value !== 'string' || value === '') throw invalidField(`${path}.${name}`, 'is required');
}

const uploaded = (param: FieldPath): FerryError =>
  new FerryError('unsupported_parameter', `\`${param}\` refers to an uploaded file: send it as base64.`, { param });
