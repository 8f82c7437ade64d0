import { z } from 'zod';
import { parseJson } from '../../kernel/json-object.js';
import { printable } from '../../kernel/printable.js';

const TEXT_LIMIT_CHARACTERS = 500;

const problem = z.union([
  z.object({ detail: z.string() }).transform(({ detail }) => detail),
  z.object({ error: z.object({ message: z.string() }) }).transform(({ error }) => error.message),
]);

/** Reads a relay's error, `application/problem+json` or an inference error; undefined when it is neither. */
export function problemText(body: string): string | undefined {
  const parsed = problem.safeParse(parseJson(body));
  return parsed.success ? printable(parsed.data.slice(0, TEXT_LIMIT_CHARACTERS), 'no explanation') : undefined;
}
