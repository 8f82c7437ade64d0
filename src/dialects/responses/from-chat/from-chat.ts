/** Converts a non-streaming chat answer to a response (docs/reference/translation.md#chat-answer-to-a-response). */
import type { JsonObject } from '../../../kernel/json-object.js';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { readEngineAnswer, readEngineUsage } from '../../chat/engine-chunk.js';
import type { OutputItem } from '../items.js';
import { requestEcho, responseResource, type ResponseResource } from '../resource.js';
import type { AnswerContext } from '../translation.js';
import { endingOf, responseUsage, unixSeconds } from './ending.js';
import { silentSink } from './event-log.js';
import { ResponseOutput } from './response-output.js';

/** The body of the answer; its `output` is stored after the items of the input. */
export interface CompleteResponse extends ResponseResource {
  readonly output: readonly OutputItem[];
}

/**
 * The same items as the stream of the same answer, in the order reasoning, message, calls.
 * @throws FerryError `engine_error` when the engine sent something that is no answer
 */
export function responseFromChat(answer: JsonObject, context: AnswerContext): CompleteResponse {
  const message = readEngineAnswer(answer);
  if (message === null) throw new FerryError('engine_error', 'The engine answered without a choice.');
  const output = new ResponseOutput(silentSink, context);
  output.add(message);
  const { status, incomplete_details } = endingOf(message.finishReason);
  output.close(status);
  const usage = readEngineUsage(answer);
  const now = unixSeconds(context.clock);
  return responseResource(requestEcho(context.request), {
    id: context.responseId,
    model: context.model,
    created_at: now,
    completed_at: now,
    status,
    incomplete_details,
    error: null,
    usage: usage === null ? null : responseUsage(usage),
    output: output.items(),
  });
}
