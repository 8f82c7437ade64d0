import { randomInt } from 'node:crypto';

/** Without characters that are mistaken for each other when somebody reads them out. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const GROUPS = 4;
const GROUP_LENGTH = 4;

/** A password to hand over once: some 79 bits, good for as long as it has to be. */
export const temporaryPassword = (): string => Array.from({ length: GROUPS }, randomGroup).join('-');

const randomGroup = (): string =>
  Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)] ?? '').join('');
