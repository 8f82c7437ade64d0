/**
 * `error.type` as OpenResponses names it: the OpenAI family's, with a word of its own (docs/reference/client-protocols.md#common-http). A
 * 404 has one type everywhere.
 */
import { definitionOf, type ErrorCode } from '../../kernel/errors/error-catalogue.js';

const otherWords: ReadonlyMap<string, string> = new Map([['rate_limit_error', 'too_many_requests']]);

export function responsesErrorType(code: ErrorCode): string {
  const { openaiType } = definitionOf(code);
  return otherWords.get(openaiType) ?? openaiType;
}
