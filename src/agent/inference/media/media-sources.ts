/**
 * Finds addresses of media in a request by field name, because engines accept more fields than any table lists
 * (docs/reference/requirements.md): in the content of messages, and in fields beside it such as Ollama's `images`.
 */
import { elementsOf, isJsonObject, type JsonObject } from '../../../kernel/json-object.js';
import { isDataUri } from '../../../dialects/media-source.js';

/** As deep as requirements are looked for. */
const DEPTH_LIMIT = 8;
/** A response only cites these addresses: they are never opened. */
const CITED_FIELD = /^(?:annotations|citations|logprobs)$/;
const MESSAGES_FIELD = /^messages$/i;
const CONTENT_FIELD = /^content$/i;
const textTypes: ReadonlySet<unknown> = new Set(['text', 'input_text', 'output_text', 'refusal', 'thinking']);
/**
 * `url`, `image_url`, `file_url`, `imageUrl`, `image_urls`, `image_uri`… A spelling added here must be added to the marks, too. In any case, as all names here:
 * engines written in Go read `Image_URL` as `image_url`.
 */
const ADDRESS_FIELD = /ur[il]s?$/i;
/** Fields with the media themselves: some engines take an address there as well. */
const DATA_FIELD = /^(?:data|file_data|image_data|multi_modal_data|images?|audios?|videos?|files?)$/i;
/** Parts whose other fields may hold the media, too: `source`, `src`, `frames`… A type added here must be added to the marks, too. */
const MEDIA_TYPE = /image|audio|video|file|media/i;
const WORDS_FIELD = /name$|title|text|caption|alt|description/i;
const LOCATION = /^\s*[a-z][a-z0-9+.-]{0,30}:\/\//i;
const SCHEME = /^\s*[a-z][a-z0-9+.-]{0,30}:/i;

export interface AddressSource {
  readonly address: string;
  /** The field of the request, as a path. */
  readonly path: string;
  readonly isImage: boolean;
  /** Puts the media in the place of the address. */
  readonly replace: (dataUri: string) => void;
}

/** @param request a parsed request of an engine's route; anything else names none */
export function addressSources(request: unknown): readonly AddressSource[] {
  const found: AddressSource[] = [];
  if (!isJsonObject(request)) return found;
  lookBeside(request, '', found);
  for (const [name, messages] of Object.entries(request)) {
    if (!MESSAGES_FIELD.test(name)) continue;
    elementsOf(messages).forEach((message, index) => {
      if (isJsonObject(message)) lookInMessage(message, `${name}[${index}]`, found);
    });
  }
  return found;
}

function lookInMessage(message: JsonObject, path: string, found: AddressSource[]): void {
  for (const [name, content] of Object.entries(message)) {
    if (!CONTENT_FIELD.test(name)) continue;
    lookIn(content, name, { path: `${path}.${name}`, isImage: false, isMedia: false, depth: DEPTH_LIMIT }, found);
  }
  lookBeside(message, `${path}.`, found);
}

/** The fields of a request or a message that are named as media; all others, such as schemas of tools, may contain any address. */
function lookBeside(holder: JsonObject, prefix: string, found: AddressSource[]): void {
  for (const [name, value] of Object.entries(holder)) {
    if (!ADDRESS_FIELD.test(name) && !DATA_FIELD.test(name)) continue;
    const location = { path: prefix + name, isImage: /image/i.test(name), isMedia: true, depth: DEPTH_LIMIT };
    if (typeof value === 'string') takeText(holder, name, value, location, found);
    else lookIn(value, name, location, found);
  }
}

interface SourceLocation {
  readonly path: string;
  /** Within something that is named as an image. */
  readonly isImage: boolean;
  /** Within something that is media: an address is one under any name. */
  readonly isMedia: boolean;
  /** So many levels are left. */
  readonly depth: number;
}

/** @param field the name of the field that holds the value, for the texts of a list */
function lookIn(value: unknown, field: string, location: SourceLocation, found: AddressSource[]): void {
  if (location.depth === 0) return;
  if (isJsonObject(value)) {
    lookInObject(value, location, found);
  } else if (Array.isArray(value)) {
    value.forEach((element: unknown, index) => {
      const at = { ...location, path: `${location.path}[${index}]` };
      if (typeof element === 'string') takeText(value, index, element, at, found, field);
      else lookIn(element, field, at, found);
    });
  }
}

function lookInObject(object: JsonObject, { path, depth, ...within }: SourceLocation, found: AddressSource[]): void {
  const isText = textTypes.has(object['type']);
  const type = typeof object['type'] === 'string' ? object['type'] : '';
  const isImagePart = within.isImage || type.includes('image');
  const isMedia = !isText && (within.isMedia || MEDIA_TYPE.test(type));
  for (const [name, value] of Object.entries(object)) {
    // Some engines look for media in parts of any type.
    if (isText && (name === 'text' || CITED_FIELD.test(name))) continue;
    const isImage = isImagePart || /image/i.test(name);
    const location = { path: `${path}.${name}`, isImage, isMedia, depth: depth - 1 };
    if (typeof value === 'string') takeText(object, name, value, location, found);
    else lookIn(value, name, location, found);
  }
}

function takeText(
  holder: object,
  key: string | number,
  value: string,
  { path, isImage, isMedia }: SourceLocation,
  found: AddressSource[],
  field = String(key),
): void {
  if (!isAddress(field, value) && !(isMedia && LOCATION.test(value) && !WORDS_FIELD.test(field))) return;
  found.push({ address: value, path, isImage, replace: (dataUri) => void Reflect.set(holder, key, dataUri) });
}

function isAddress(field: string, value: string): boolean {
  if (value === '' || isDataUri(value)) return false;
  return ADDRESS_FIELD.test(field) || (DATA_FIELD.test(field) && SCHEME.test(value) && !/^data:/i.test(value));
}
