/** In UTF-16 units. Even with every unit escaped to six bytes, a part stays below 1 MiB (docs/reference/link.md#event-boundaries). */
const PART_CHARACTERS = 160 * 1024;

/** Splits a text into pieces that fit into one event each; none for an empty text. Never splits a surrogate pair. */
export function textParts(text: string): readonly string[] {
  if (text.length <= PART_CHARACTERS) return text === '' ? [] : [text];
  const parts: string[] = [];
  for (let at = 0; at < text.length;) {
    let end = Math.min(at + PART_CHARACTERS, text.length);
    const code = text.charCodeAt(end - 1);
    if (end < text.length && code >= 0xd800 && code <= 0xdbff) end -= 1;
    parts.push(text.slice(at, end));
    at = end;
  }
  return parts;
}
