import { randomInt } from 'node:crypto';

/** Consonants alone: no word comes out, and nothing that looks like a digit (RFC 8628 §6.1). */
const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;
const HALF = LENGTH / 2;
const TYPED = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`);

/** Without the dash, as it is stored. */
export const createUserCode = (): string =>
  Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)] ?? '').join('');

/** `XXXX-XXXX`, as people read and type it. */
export const shownUserCode = (code: string): string => `${code.slice(0, HALF)}-${code.slice(HALF)}`;

/** What somebody typed, however; undefined: no code looks like that. */
export function parseUserCode(text: string): string | undefined {
  const code = text.toUpperCase().replaceAll(/[\s-]/g, '');
  return TYPED.test(code) ? code : undefined;
}
