/** Shorter texts are not cut, or only at the end. */
const CUT_FROM = 14;
/** Of the end that is always shown: versions and quantizations stand there. */
const END = 7;
/** A part of a name may be a little shorter or longer than that. */
const SHORTEST_PART = 4;
const LONGEST_PART = 11;
/** A longer domain would leave no room for who it is. */
const LONGEST_DOMAIN = 20;

/** "Website (ada@example.com)": who it is stands in the middle, so that it is cut before the bracket. */
const PERSON = /\([^()]+@[^()]+\)$/;

const SEPARATORS = new Set(['-', '_', '.', '/', ':', ' ']);

/**
 * Where a text is cut in the middle: before the domain of a mail address, or else before a part of the name, so that no word is halved.
 * @param endLength of the end where that is known
 * @returns the index of the end; null: not in the middle
 */
export function cutPosition(text: string, endLength?: number): number | null {
  if (text.length < CUT_FROM) return null;
  if (PERSON.test(text)) return text.length - 1;
  const position = text.length - (endLength ?? domainLength(text) ?? partLength(text) ?? END);
  if (isSecondHalf(text.charCodeAt(position))) return position - 1;
  // A space after the ellipsis would look like a hole.
  return text.charAt(position) === ' ' ? position + 1 : position;
}

function domainLength(text: string): number | undefined {
  const length = text.length - text.lastIndexOf('@');
  return length <= Math.min(LONGEST_DOMAIN, text.length - 1) ? length : undefined;
}

/** Of the part at the end whose length is nearest to the usual one, with the character before it. */
function partLength(text: string): number | undefined {
  const lengths = Array.from({ length: LONGEST_PART - SHORTEST_PART + 1 }, (_, index) => SHORTEST_PART + index);
  return lengths
    .filter((length) => SEPARATORS.has(text.charAt(text.length - length)))
    .toSorted((one, other) => Math.abs(one - END) - Math.abs(other - END))[0];
}

/** Of a character that takes two code units, such as an emoji. */
const isSecondHalf = (codeUnit: number): boolean => codeUnit >= 0xdc_00 && codeUnit <= 0xdf_ff;
