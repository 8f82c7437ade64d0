import { randomInt } from 'node:crypto';

/** Without characters that are easily confused. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const GROUPS = 4;
const GROUP_LENGTH = 4;

/** A temporary password of some 79 bits. */
export const temporaryPassword = (): string => Array.from({ length: GROUPS }, randomGroup).join('-');

const randomGroup = (): string =>
  Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)] ?? '').join('');
