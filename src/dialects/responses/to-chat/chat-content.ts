/** Converts content parts to chat (docs/reference/translation.md#responses-request-to-chat). */
import { elementsOf, isJsonObject, type JsonObject } from '../../../kernel/json-object.js';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { mediaFormOf } from '../../chat/media-parts.js';
import type { FieldPath } from '../../requirements.js';
import { mediaOf, textOfFile } from '../media-parts.js';
import type { DroppedFields } from './dropped-fields.js';

export interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

/** A part of a chat message; media parts are passed to the engine. */
export type ChatPart = TextPart | (JsonObject & { readonly type: string });

/** @throws FerryError 400 for media without an equivalent in chat */
export function chatParts(content: unknown, path: FieldPath, dropped: DroppedFields): readonly ChatPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return elementsOf(content).flatMap((part, index): readonly ChatPart[] => {
    const partPath = `${path}[${String(index)}]`;
    const translated = isJsonObject(part) ? chatPart(part, partPath) : undefined;
    if (translated === undefined) dropped.add(partPath);
    // Of a file; that of an image has a place in chat.
    else if (translated.type !== 'image_url' && isJsonObject(part) && isLevel(part['detail']))
      dropped.add(`${partPath}.detail`);
    return translated === undefined ? [] : [translated];
  });
}

function chatPart(part: JsonObject, path: FieldPath): ChatPart | undefined {
  const media = mediaOf(part, path);
  if (media === undefined) {
    const text = part['text'] ?? part['refusal'];
    return typeof text === 'string' ? { type: 'text', text } : undefined;
  }
  const source = media.source?.text;
  if (source === undefined) return undefined;
  switch (part['type']) {
    case 'input_image':
    case 'computer_screenshot':
      return { type: 'image_url', image_url: { url: source, ...detailOf(part) } };
    case 'input_file':
      return filePart(part, path);
    case 'input_video':
      return { type: 'video_url', video_url: { url: source } };
    default:
      // `input_audio` and parts in the format of chat are unchanged.
      return mediaFormOf(part) === undefined ? undefined : { ...part, type: String(part['type']) };
  }
}

const isLevel = (detail: unknown): boolean => typeof detail === 'string' && detail !== 'auto';

const detailOf = ({ detail }: JsonObject): JsonObject => (typeof detail === 'string' ? { detail } : {});

function filePart(part: JsonObject, path: FieldPath): ChatPart {
  const { filename, file_data: data, file_id: id } = part;
  const name = typeof filename === 'string' ? { filename } : {};
  const text = textOfFile(part);
  if (text !== undefined) {
    return { type: 'text', text: typeof filename === 'string' ? `${filename}\n\n${text}` : text };
  }
  if (typeof data === 'string') return { type: 'file', file: { ...name, file_data: data } };
  if (typeof id === 'string') return { type: 'file', file: { ...name, file_id: id } };
  throw new FerryError('unsupported_parameter', `\`${path}\`: send the file itself, in \`file_data\`.`, {
    param: path,
  });
}

const isText = (part: ChatPart): part is TextPart => part.type === 'text';

/** The texts without media, one per line. */
export const textOfParts = (parts: readonly ChatPart[]): string =>
  parts
    .filter(isText)
    .map(({ text }) => text)
    .join('\n');

export const mediaAmong = (parts: readonly ChatPart[]): readonly ChatPart[] => parts.filter((part) => !isText(part));

/** Text alone becomes a plain string, the only form in many templates (docs/reference/translation.md#messages-request-to-chat). */
export const contentOfParts = (parts: readonly ChatPart[]): string | readonly ChatPart[] =>
  parts.every(isText) ? textOfParts(parts) : parts;
