import type { z } from 'zod';
import { parseExact } from '../../../../kernel/exact-json.js';
import { invalidRequest } from '../failures.js';

/** `messages[0].content`, in OpenAI's notation. */
export const fieldPath = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[${part}]` : text === '' ? String(part) : `${text}.${String(part)}`,
    '',
  );

/** @throws EngineFailure `invalid_request` with the first invalid field */
export function parseBody<Schema extends z.ZodType>(schema: Schema, body: Buffer): z.output<Schema> {
  let json: unknown;
  try {
    json = parseExact(body.toString('utf8'));
  } catch {
    throw invalidRequest(null, 'the body is not valid JSON');
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const param = fieldPath(issue?.path ?? []);
  throw invalidRequest(
    param === '' ? null : param.slice(0, 200),
    `${param || 'body'}: ${issue?.message ?? 'malformed'}`,
  );
}
