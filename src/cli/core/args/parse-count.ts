import { InvalidArgumentError } from 'commander';

/** A positive whole number. @throws InvalidArgumentError */
export function parseCount(text: string): number {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 1) throw new InvalidArgumentError('a whole number from 1 on');
  return count;
}

/** A positive whole number, or `none`, which stays a string because commander treats null as no value. @throws InvalidArgumentError */
export const parseLimit = (text: string): Limit => (text === 'none' ? text : parseCount(text));

export type Limit = number | 'none';
