/**
 * Media parts of chat messages in all known variants (docs/reference/client-protocols.md#chat-completions,
 * docs/reference/requirements.md).
 */
import { isJsonObject, type JsonObject } from '../../kernel/json-object.js';
import type { InputKind } from '../../kernel/dialect.js';
import type { FieldPath } from '../requirements.js';

interface MediaForm {
  readonly kind: InputKind;
  /** The field of the part that holds the media: an object, or the text itself. */
  readonly field: string;
  /** Members of that object, of which one must hold the media, with their formats. */
  readonly sources: Readonly<Record<string, SourceForm>>;
}

/** `address`: data URI or web address · `data`: base64, bare or as a data URI · `reference`: an id for the engine. */
export type SourceForm = 'address' | 'data' | 'reference';

const address = { url: 'address' } as const;
const recorded = { data: 'data', url: 'address' } as const;

/** By `type` of the part. Other types are text or unknown, which is not an error. */
const forms: ReadonlyMap<unknown, MediaForm> = new Map<string, MediaForm>([
  ['image_url', { kind: 'image', field: 'image_url', sources: address }],
  ['input_image', { kind: 'image', field: 'image_url', sources: address }],
  ['image', { kind: 'image', field: 'source', sources: recorded }],
  ['input_audio', { kind: 'audio', field: 'input_audio', sources: recorded }],
  ['audio_url', { kind: 'audio', field: 'audio_url', sources: address }],
  ['video_url', { kind: 'video', field: 'video_url', sources: address }],
  ['input_video', { kind: 'video', field: 'input_video', sources: recorded }],
  ['file', { kind: 'file', field: 'file', sources: { file_data: 'data', file_id: 'reference', file_url: 'address' } }],
]);

export const mediaFormOf = (part: JsonObject): MediaForm | undefined => forms.get(part['type']);

export interface MediaSource {
  readonly form: SourceForm;
  readonly text: string;
  readonly path: FieldPath;
}

/** The field of the part's media; undefined when it has none. */
export function mediaSourceOf(part: JsonObject, form: MediaForm, path: FieldPath): MediaSource | undefined {
  const holder = part[form.field];
  const holderPath = `${path}.${form.field}`;
  if (typeof holder === 'string')
    return holder === '' ? undefined : { form: 'address', text: holder, path: holderPath };
  if (!isJsonObject(holder)) return undefined;
  for (const [name, source] of Object.entries(form.sources)) {
    const text = holder[name];
    if (typeof text === 'string' && text !== '') return { form: source, text, path: `${holderPath}.${name}` };
  }
  return undefined;
}
