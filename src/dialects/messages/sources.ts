/** Where image and document blocks keep their media (docs/reference/client-protocols.md#messages). */
import { isJsonObject, type JsonObject } from '../../kernel/json-object.js';

type BlockSource =
  | { readonly kind: 'base64'; readonly mediaType: string; readonly data: string }
  | { readonly kind: 'url'; readonly url: string }
  /** Plain text of a document. */
  | { readonly kind: 'text'; readonly data: string }
  /** A document made of text and image blocks. */
  | { readonly kind: 'content'; readonly content: unknown }
  /** An upload to Anthropic's file store, which is not available. */
  | { readonly kind: 'file' };

/** Undefined for a malformed or unknown source. */
export function sourceOf(block: JsonObject): BlockSource | undefined {
  const source = block['source'];
  if (!isJsonObject(source)) return undefined;
  const { type, media_type: mediaType, data, url, content } = source;
  switch (type) {
    case 'base64':
      return isText(mediaType) && isText(data) ? { kind: 'base64', mediaType, data } : undefined;
    case 'url':
      return isText(url) ? { kind: 'url', url } : undefined;
    case 'text':
      return typeof data === 'string' ? { kind: 'text', data } : undefined;
    case 'content':
      return typeof content === 'string' || Array.isArray(content) ? { kind: 'content', content } : undefined;
    case 'file':
      return { kind: 'file' };
    default:
      return undefined;
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
