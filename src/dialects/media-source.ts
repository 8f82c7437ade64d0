/** Media inside JSON: data URIs and base64 (docs/reference/requirements.md). */

/**
 * Long attachments are checked at both ends only, because scanning 16 MiB would delay every stream of the relay by 15 ms. Other invalid
 * bytes are left to the engine.
 */
const CHECKED_EDGE_CHARACTERS = 4_096;

/** Standard and URL-safe alphabet, with the line breaks of MIME encoders. */
const BASE64 = /^[A-Za-z0-9+/_\-\s]+={0,2}$/;
const BASE64_INSIDE = /^[A-Za-z0-9+/_\-\s]+$/;
const DATA_URI_HEAD = /^data:[^,]{0,200};base64,/i;
const WEB_ADDRESS = /^https?:\/\//i;

export const isBase64 = (text: string): boolean => {
  // Trimmed first, so that the pattern cannot backtrack.
  if (text.length <= 2 * CHECKED_EDGE_CHARACTERS) return BASE64.test(text.trimEnd());
  const tail = text.slice(-CHECKED_EDGE_CHARACTERS).trimEnd();
  return BASE64_INSIDE.test(text.slice(0, CHECKED_EDGE_CHARACTERS)) && BASE64.test(tail);
};

export const isDataUri = (text: string): boolean => {
  const head = DATA_URI_HEAD.exec(text)?.[0];
  return head !== undefined && isBase64(text.slice(head.length));
};

export const isWebAddress = (text: string): boolean => WEB_ADDRESS.test(text);
