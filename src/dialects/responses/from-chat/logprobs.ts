/** Log probabilities in the form of the schema, which wants the bytes of every token (docs/reference/requirements.md). */
import { elementsOf, isJsonObject } from '../../../kernel/json-object.js';
import type { PositionLogprobs, TokenLogprob } from '../items.js';

/** Entries that are none are left out. */
export const readLogprobs = (entries: readonly unknown[]): readonly PositionLogprobs[] =>
  entries.flatMap((entry) =>
    tokenLogprob(entry).map((token) => ({
      ...token,
      top_logprobs: isJsonObject(entry) ? elementsOf(entry['top_logprobs']).flatMap(tokenLogprob) : [],
    })),
  );

function tokenLogprob(entry: unknown): readonly TokenLogprob[] {
  if (!isJsonObject(entry)) return [];
  const { token, logprob, bytes } = entry;
  if (typeof token !== 'string' || typeof logprob !== 'number') return [];
  return [{ token, logprob, bytes: isBytes(bytes) ? bytes : [...Buffer.from(token, 'utf8')] }];
}

const isBytes = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.every((byte) => Number.isInteger(byte));
