/** Fields that many records of `/api` share. */
import {
  flag,
  integer,
  list,
  literal,
  nullable,
  oneOfTexts,
  ref,
  text,
  whole,
  type Schema,
} from '../../inference/schema.js';

export const seconds = (description: string): Schema => integer(`${description} Seconds since 1970.`);
export const isoTime = (description: string): Schema => ({ ...text(description), format: 'date-time' });
export const role = oneOfTexts(['member', 'admin', 'owner'], 'Each can do what those before it can, and more.');

/** @param item name of the component schema of one item */
export const pageOf = (item: string): Schema =>
  whole({
    object: literal('list'),
    data: list(ref(item)),
    has_more: flag('Ask for the rest with `cursor`.'),
    next_cursor: nullable(text('null on the last page.')),
  });

export const onePage = (...data: readonly unknown[]): Schema => ({
  object: 'list',
  data,
  has_more: false,
  next_cursor: null,
});
