/** Converts a non-streaming chat answer to a response (docs/reference/translation.md#chat-answer-to-a-response). */
import type { JsonObject } from '../../../kernel/json-object.js';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { readEngineResponse, readEngineUsage } from '../../chat/engine-chunk.js';
import type { OutputItem } from '../items.js';
import { requestEcho, responseResource, type ResponseResource } from '../resource.js';
import type { ResponseContext } from '../translation.js';
import { outcomeOf, responseUsage, unixSeconds } from './outcome.js';
import { silentSink } from './event-log.js';
import { ResponseOutput } from './response-output.js';

/** The body of the response; its `output` is stored after the items of the input. */
export interface CompleteResponse extends ResponseResource {
  readonly output: readonly OutputItem[];
}

/**
 * The same items as the stream of the same response, in the order reasoning, message, calls.
 * @throws FerryError `engine_error` when the engine sent something that is no response
 */
export function responseFromChat(response: JsonObject, context: ResponseContext): CompleteResponse {
  const message = readEngineResponse(response);
  if (message === null) throw new FerryError('engine_error', 'The engine answered without a choice.');
  const output = new ResponseOutput(silentSink, context);
  output.add(message);
  const { status, incomplete_details } = outcomeOf(message.finishReason);
  output.close(status);
  const usage = readEngineUsage(response);
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
