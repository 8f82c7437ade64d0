/**
 * Media parts of the responses route (docs/reference/client-protocols.md#responses,
 * docs/reference/requirements.md).
 */
import { isJsonObject, type JsonObject } from '../../kernel/json-object.js';
import type { InputKind } from '../../kernel/dialect.js';
import { mediaFormOf, mediaSourceOf, type MediaSource, type SourceForm } from '../chat/media-parts.js';
import type { FieldPath } from '../requirements.js';

export interface Media {
  readonly kind: InputKind;
  /** Undefined when the part has none. */
  readonly source: MediaSource | undefined;
  /** Fields of which one is required; none for undocumented variants. */
  readonly fields: readonly string[];
}

interface Form {
  readonly kind: InputKind;
  /** By field of the part, dotted for nested ones; the first present one counts. */
  readonly sources: Readonly<Record<string, SourceForm>>;
}

/** `image_url.url` is the form of chat, which some clients use here. */
const picture: Form = {
  kind: 'image',
  sources: { image_url: 'address', 'image_url.url': 'address', file_id: 'reference' },
};

const forms: ReadonlyMap<unknown, Form> = new Map<string, Form>([
  ['input_image', picture],
  ['computer_screenshot', picture],
  ['input_file', { kind: 'file', sources: { file_data: 'data', file_url: 'address', file_id: 'reference' } }],
  ['input_audio', { kind: 'audio', sources: { 'input_audio.data': 'data', 'input_audio.url': 'address' } }],
  ['input_video', { kind: 'video', sources: { video_url: 'address', 'video_url.url': 'address' } }],
]);

/** Undefined for text and unknown types. Part types of chat are accepted as well. */
export function mediaOf(part: JsonObject, path: FieldPath): Media | undefined {
  const form = forms.get(part['type']);
  if (form !== undefined) {
    return { kind: form.kind, source: sourceOf(part, form, path), fields: Object.keys(form.sources) };
  }
  const chatForm = mediaFormOf(part);
  if (chatForm === undefined) return undefined;
  return { kind: chatForm.kind, source: mediaSourceOf(part, chatForm, path), fields: [] };
}

function sourceOf(part: JsonObject, form: Form, path: FieldPath): MediaSource | undefined {
  for (const [field, kind] of Object.entries(form.sources)) {
    const text = valueAt(part, field);
    if (typeof text === 'string' && text !== '') return { form: kind, text, path: `${path}.${field}` };
  }
  return undefined;
}

const valueAt = (part: JsonObject, field: string): unknown =>
  field.split('.').reduce<unknown>((value, name) => (isJsonObject(value) ? value[name] : undefined), part);

/** Types of text files, which every model can read. Bounded repetitions, because up to 16 MiB of anything may follow. */
const TEXT_FILE =
  /^data:(?:text\/[^,;]{1,100}|application\/(?:json|xml|yaml|toml|javascript|[\w.-]{1,100}\+(?:json|xml)))(?:;[^,;]{1,100}){0,4};base64,/i;

/** The content of a file that is text, to be put into the prompt; undefined for every other file. */
export function textOfFile(part: JsonObject): string | undefined {
  const data = part['file_data'];
  if (part['type'] !== 'input_file' || typeof data !== 'string') return undefined;
  const head = TEXT_FILE.exec(data)?.[0];
  return head === undefined ? undefined : Buffer.from(data.slice(head.length), 'base64').toString('utf8');
}

/** The same check without decoding up to 16 MiB. */
export const isTextFile = (part: JsonObject): boolean => {
  const data = part['file_data'];
  return part['type'] === 'input_file' && typeof data === 'string' && TEXT_FILE.test(data);
};
