/**
 * Finds addresses in the content of chat messages by field name, because engines accept more fields than any table lists
 * (docs/reference/requirements.md).
 */
import { elementsOf, isJsonObject, type JsonObject } from '../../../kernel/json-object.js';
import { isDataUri } from '../../../dialects/media-source.js';

/** As deep as requirements are looked for. */
const DEPTH_LIMIT = 8;
const textTypes: ReadonlySet<unknown> = new Set(['text', 'input_text', 'output_text', 'refusal', 'thinking']);
/** `url`, `image_url`, `file_url`, `imageUrl`… A spelling added here must be added to the marks, too. */
const ADDRESS_FIELD = /(?:url|Url|URL)$/;
/** Fields with the media themselves: some engines take an address there as well. */
const DATA_FIELD = /^(?:data|file_data|image|audio|video|file)$/;
const SCHEME = /^\s*[a-z][a-z0-9+.-]{0,30}:/i;

export interface AddressSource {
  readonly address: string;
  /** The field of the request, as a path. */
  readonly path: string;
  readonly isImage: boolean;
  /** Puts the media in the place of the address. */
  readonly replace: (dataUri: string) => void;
}

/** @param request a parsed chat request; anything else names none */
export function addressSources(request: unknown): readonly AddressSource[] {
  const found: AddressSource[] = [];
  const messages = isJsonObject(request) ? elementsOf(request['messages']) : [];
  messages.forEach((message, index) => {
    if (isJsonObject(message)) lookIn(message['content'], `messages[${index}].content`, false, found, DEPTH_LIMIT);
  });
  return found;
}

function lookIn(value: unknown, path: string, isImage: boolean, found: AddressSource[], depth: number): void {
  if (depth === 0) return;
  if (isJsonObject(value)) {
    lookInObject(value, path, isImage, found, depth);
    return;
  }
  elementsOf(value).forEach((element, index) => {
    lookIn(element, `${path}[${index}]`, isImage, found, depth);
  });
}

function lookInObject(object: JsonObject, path: string, inImage: boolean, found: AddressSource[], depth: number): void {
  if (textTypes.has(object['type'])) return;
  const isImagePart = inImage || String(object['type']).includes('image');
  for (const [name, value] of Object.entries(object)) {
    const fieldPath = `${path}.${name}`;
    const isImage = isImagePart || /image/i.test(name);
    if (typeof value !== 'string') lookIn(value, fieldPath, isImage, found, depth - 1);
    else if (isAddress(name, value)) {
      found.push({
        address: value,
        path: fieldPath,
        isImage,
        replace: (dataUri) => void Reflect.set(object, name, dataUri),
      });
    }
  }
}

function isAddress(field: string, value: string): boolean {
  if (value === '' || isDataUri(value)) return false;
  return ADDRESS_FIELD.test(field) || (DATA_FIELD.test(field) && SCHEME.test(value) && !/^data:/i.test(value));
}
