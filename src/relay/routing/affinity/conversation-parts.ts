import { isJsonObject } from '../../../kernel/json-object.js';

/** The text of one part of a content; undefined for an image or a file. */
export function textOfPart(part: unknown): string | undefined {
  const text = typeof part === 'string' ? part : isJsonObject(part) ? part['text'] : undefined;
  return typeof text === 'string' ? text : undefined;
}
