/** Ids of requests as people type and paste them. */
const PART = /^(?:req_)?[0-9a-f]{4,32}$/;
const WHOLE = /^req_[0-9a-f]{32}$/;

/** A part of an id that the log can be searched for, also one that was shortened with `…`; null: it is none. */
export function requestIdPart(text: string): string | null {
  const typed = text.trim().toLowerCase();
  // Of a shortened id the longer end tells more.
  const [longest = ''] = typed.split('…').toSorted((one, other) => other.length - one.length);
  return PART.test(longest) ? longest : null;
}

export const isRequestId = (text: string): boolean => WHOLE.test(text.trim());
