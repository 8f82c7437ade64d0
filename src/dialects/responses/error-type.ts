/**
 * `error.type` of OpenResponses, which differs from the OpenAI family in one value (docs/reference/client-protocols.md#common-http). A 404
 * always has the same type.
 */
import { openaiTypeOf } from '../../kernel/errors/error-types.js';
import type { FerryError } from '../../kernel/errors/ferry-error.js';

const otherWords: ReadonlyMap<string, string> = new Map([['rate_limit_error', 'too_many_requests']]);

export const responsesErrorType = (error: FerryError): string => responsesTypeOf(openaiTypeOf(error));

/** @param openaiType as the catalogue has it */
export const responsesTypeOf = (openaiType: string): string => otherWords.get(openaiType) ?? openaiType;
