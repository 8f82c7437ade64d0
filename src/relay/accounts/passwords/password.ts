import { FerryError } from '../../../kernel/errors/ferry-error.js';

const MIN_CODE_POINTS = 10;
const MAX_CODE_POINTS = 128;

/** Normalised before hashing, because two keyboards may encode the same password differently (NIST 800-63B). */
export const normalPassword = (text: string): string => text.normalize('NFKC');

/** Length only: rules about kinds of characters make passwords worse (docs/reference/security.md#people). */
export function isAcceptablePassword(text: string): boolean {
  const codePoints = Array.from(normalPassword(text)).length;
  return codePoints >= MIN_CODE_POINTS && codePoints <= MAX_CODE_POINTS;
}

/** @throws FerryError `invalid_request` that names the field */
export function requireAcceptablePassword(text: string, param: string): void {
  if (isAcceptablePassword(text)) return;
  throw new FerryError(
    'invalid_request',
    `The password must have ${MIN_CODE_POINTS} to ${MAX_CODE_POINTS} characters.`,
    { param },
  );
}
