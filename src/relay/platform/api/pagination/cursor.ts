import { FerryError } from '../../../../kernel/errors/ferry-error.js';

/**
 * The position of an item in a list by time. Whole milliseconds, because that is all a Date keeps of the database's
 * microseconds; the id decides among the items of one millisecond.
 */
export interface Position {
  readonly at: Date;
  readonly id: string;
}

const LONGEST_CURSOR = 200;

export const CURSOR = new RegExp(`^[A-Za-z0-9_-]{1,${LONGEST_CURSOR}}$`);
export const CURSOR_RULE = '$property must be the next_cursor of an earlier response';

const POSITION = /^(\d{1,15}):([\x21-\x7e]{1,100})$/;

/**
 * Opaque to clients, but neither secret nor signed: every query is scoped by the account, so a forged cursor reaches nothing else.
 */
export const toCursor = ({ at, id }: Position): string =>
  Buffer.from(`${String(at.getTime())}:${id}`, 'utf8').toString('base64url');

/** @throws FerryError `invalid_request` for what {@link toCursor} cannot have made */
export function fromCursor(cursor: string): Position {
  const [, milliseconds, id] = POSITION.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  const at = new Date(Number(milliseconds));
  if (id === undefined || Number.isNaN(at.getTime())) {
    throw new FerryError('invalid_request', 'cursor must be the next_cursor of an earlier response.', {
      param: 'cursor',
    });
  }
  return { at, id };
}
