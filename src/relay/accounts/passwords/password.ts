import { FerryError } from '../../../kernel/errors/ferry-error.js';

const LEAST_CODE_POINTS = 10;
const MOST_CODE_POINTS = 128;

/** What is hashed: the same password typed on two keyboards may come in two encodings (NIST 800-63B). */
export const normalPassword = (text: string): string => text.normalize('NFKC');

/** Length only: rules about kinds of characters make passwords worse (docs/reference/security.md#people). */
export function isAcceptablePassword(text: string): boolean {
  const codePoints = Array.from(normalPassword(text)).length;
  return codePoints >= LEAST_CODE_POINTS && codePoints <= MOST_CODE_POINTS;
}

/** @throws FerryError `invalid_request` that names the field */
export function requireAcceptablePassword(text: string, param: string): void {
  if (isAcceptablePassword(text)) return;
  throw new FerryError(
    'invalid_request',
    `The password must have ${LEAST_CODE_POINTS} to ${MOST_CODE_POINTS} characters.`,
    { param },
  );
}
