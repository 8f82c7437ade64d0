/**
 * Converts blocks to parts of a chat message: text, images, documents, search results
 * (docs/reference/translation.md#messages-request-to-chat).
 */
import { elementsOf, isJsonObject, objectIn, type JsonObject } from '../../../kernel/json-object.js';
import type { ChatPart } from './chat-request.js';
import { hasEffect } from '../../field-checks.js';
import type { FieldPath } from '../../requirements.js';
import { sourceOf } from '../sources.js';

/** As deep as content is checked. */
const NESTING_LIMIT = 8;

/**
 * @param content text, blocks, or nothing
 * @param drop called with the path of every block without an equivalent in chat
 */
export function partsOf(
  content: unknown,
  path: FieldPath,
  drop: (path: FieldPath) => void,
  depth = NESTING_LIMIT,
): readonly ChatPart[] {
  if (typeof content === 'string') return textPart(content);
  const parts: ChatPart[] = [];
  elementsOf(content).forEach((block, index) => {
    const blockPath = `${path}[${index}]`;
    const found = isJsonObject(block) && depth > 0 ? blockParts(block, blockPath, drop, depth - 1) : undefined;
    if (found === undefined) drop(blockPath);
    else parts.push(...found);
  });
  return parts;
}

/** The text of a content where chat accepts only text; other blocks are dropped. */
export function textOf(content: unknown, path: FieldPath, drop: (path: FieldPath) => void): string {
  const texts: string[] = [];
  for (const part of partsOf(content, path, drop)) {
    if (part.type === 'text') texts.push(part.text);
    else drop(path);
  }
  return texts.join('\n\n');
}

/** Undefined for blocks without an equivalent in chat. */
function blockParts(
  block: JsonObject,
  path: FieldPath,
  drop: (path: FieldPath) => void,
  depth: number,
): readonly ChatPart[] | undefined {
  switch (block['type']) {
    case 'text':
      return textPart(block['text']);
    case 'image':
      if (hasEffect(block['transformations'])) drop(`${path}.transformations`);
      return imagePart(block);
    case 'document':
      dropCitations(block, path, drop);
      return documentParts(block, path, drop, depth);
    case 'search_result':
      dropCitations(block, path, drop);
      return withHeading([block['title'], block['source']], partsOf(block['content'], `${path}.content`, drop, depth));
    case 'tool_reference':
      return textPart(block['tool_name']);
    case 'mid_conv_system':
      // In a user's turn it is a message of its own.
      return partsOf(block['content'] ?? block['text'], `${path}.content`, drop, depth);
    default: {
      const text = connectorText(block);
      return text === undefined ? undefined : textPart(text);
    }
  }
}

/** Answers have no citations here, whatever the block asks for. */
function dropCitations(block: JsonObject, path: FieldPath, drop: (path: FieldPath) => void): void {
  if (objectIn(block, 'citations')['enabled'] === true) drop(`${path}.citations`);
}

/** The text of a `connector_text` block, whatever its member is called: it is not documented. Undefined for another block. */
export function connectorText(block: unknown): string | undefined {
  if (!isJsonObject(block) || block['type'] !== 'connector_text') return undefined;
  const text = [block['connector_text'], block['text'], block['content']].find((value) => typeof value === 'string');
  return typeof text === 'string'
    ? text
    : partsOf(block['content'], '', () => undefined)
        .map(textIn)
        .join('');
}

const textIn = (part: ChatPart): string => (part.type === 'text' ? part.text : '');

const textPart = (text: unknown): readonly ChatPart[] =>
  typeof text === 'string' && text !== '' ? [{ type: 'text', text }] : [];

function imagePart(block: JsonObject): readonly ChatPart[] | undefined {
  const source = sourceOf(block);
  if (source?.kind === 'base64') return [{ type: 'image_url', image_url: { url: dataUri(source) } }];
  if (source?.kind === 'url') return [{ type: 'image_url', image_url: { url: source.url } }];
  return undefined;
}

function documentParts(
  block: JsonObject,
  path: FieldPath,
  drop: (path: FieldPath) => void,
  depth: number,
): readonly ChatPart[] | undefined {
  const source = sourceOf(block);
  const heading = [block['title'], block['context']];
  switch (source?.kind) {
    case 'text':
      return withHeading(heading, textPart(source.data));
    case 'content':
      return withHeading(heading, partsOf(source.content, `${path}.source.content`, drop, depth));
    case 'base64':
      return withHeading([block['context']], [filePart(block, dataUri(source))]);
    case 'url':
      return withHeading([block['context']], [filePart(block, source.url)]);
    case 'file':
    case undefined:
      return undefined;
    default:
      return source satisfies never;
  }
}

const filePart = ({ title }: JsonObject, data: string): ChatPart => ({
  type: 'file',
  file: { filename: typeof title === 'string' && title !== '' ? title : 'document.pdf', file_data: data },
});

/** One line each, above the first text. */
function withHeading(lines: readonly unknown[], parts: readonly ChatPart[]): readonly ChatPart[] {
  const heading = lines.filter((line) => typeof line === 'string' && line !== '').join('\n');
  if (heading === '') return parts;
  const [first, ...rest] = parts;
  if (first?.type === 'text') return [{ type: 'text', text: `${heading}\n${first.text}` }, ...rest];
  return [{ type: 'text', text: heading }, ...parts];
}

const dataUri = ({ mediaType, data }: { readonly mediaType: string; readonly data: string }): string =>
  `data:${mediaType};base64,${data}`;
