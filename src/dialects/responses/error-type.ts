/** `error.type` as OpenResponses names it: the OpenAI family's, with two words of its own (wire-protocols §1.1). */
import { definitionOf, type ErrorCode } from '../../kernel/errors/error-catalogue.js';

const otherWords: ReadonlyMap<string, string> = new Map([
  ['not_found_error', 'not_found'],
  ['rate_limit_error', 'too_many_requests'],
]);

export function responsesErrorType(code: ErrorCode): string {
  const { openaiType } = definitionOf(code);
  return otherWords.get(openaiType) ?? openaiType;
}
