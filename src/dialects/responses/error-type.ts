/**
 * `error.type` of OpenResponses, which differs from the OpenAI family in one value (docs/reference/client-protocols.md#common-http). A 404
 * always has the same type.
 */
import { definitionOf, type ErrorCode } from '../../kernel/errors/error-catalogue.js';

const otherWords: ReadonlyMap<string, string> = new Map([['rate_limit_error', 'too_many_requests']]);

export function responsesErrorType(code: ErrorCode): string {
  const { openaiType } = definitionOf(code);
  return otherWords.get(openaiType) ?? openaiType;
}
