import { InvalidArgumentError } from 'commander';

/** A whole number from 1 on. @throws InvalidArgumentError */
export function parseCount(text: string): number {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 1) throw new InvalidArgumentError('must be a whole number from 1 on');
  return count;
}

/** Such a number, or `none`. The word stays, because commander takes null for no value. @throws InvalidArgumentError */
export const parseLimit = (text: string): Limit => (text === 'none' ? text : parseCount(text));

export type Limit = number | 'none';
