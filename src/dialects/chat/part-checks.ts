import { isJsonObject } from '../../kernel/json-object.js';
import { invalidField } from '../field-checks.js';
import { isBase64, isDataUri, isWebAddress } from '../media-source.js';
import type { FieldPath } from '../requirements.js';
import { mediaFormOf, mediaSourceOf, type MediaSource } from './media-parts.js';

/** Undocumented variants are not validated here but left to the engine. */
const unspecified: readonly unknown[] = ['input_image', 'image', 'input_video'];

/**
 * A malformed media part is 400 (docs/reference/translation.md#rejected-and-dropped-fields). Web addresses, which are not fetched, are
 * refused later, by the router, because a missing capability of the model is the better error.
 * @throws FerryError `invalid_request`
 */
export function checkPart(part: unknown, path: FieldPath): void {
  if (!isJsonObject(part)) throw invalidField(path, 'must be an object with a `type`');
  const form = mediaFormOf(part);
  if (form === undefined || unspecified.includes(part['type'])) return;
  const source = mediaSourceOf(part, form, path);
  if (source === undefined) {
    throw invalidField(`${path}.${form.field}`, `needs a non-empty ${Object.keys(form.sources).join(' or ')}`);
  }
  checkSource(source);
}

function checkSource({ form, text, path }: MediaSource): void {
  switch (form) {
    case 'address':
      if (!isWebAddress(text) && !isDataUri(text)) throw invalidField(path, 'must be a base64 data URI');
      return;
    case 'data':
      if (!isBase64(text) && !isDataUri(text)) throw invalidField(path, 'must be base64');
      return;
    case 'reference':
      return;
    default:
      form satisfies never;
  }
}
