import { CliError } from '../../core/errors/cli-error.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import type { ChatResponse } from './chat-response.shape.js';
import type { ChatStream } from './inference-client.js';

interface Chunk {
  readonly model?: string;
  readonly error?: { readonly message?: string; readonly code?: string };
  readonly choices?: readonly {
    readonly delta?: {
      readonly content?: string | null;
      readonly reasoning_content?: string | null;
      readonly reasoning?: string | null;
    };
    readonly finish_reason?: string | null;
  }[];
  readonly usage?: ChatResponse['usage'];
}

interface ResponseSink {
  readonly content: (text: string) => void;
  readonly reasoning: (text: string) => void;
}

/** The part of a response received so far; for a cancelled answer, the final state. */
type PartialResponse = Pick<ChatResponse, 'content' | 'finish_reason' | 'usage'> & {
  model: string | null;
  reasoning: string;
};

export const emptyResponse = (): { -readonly [Field in keyof PartialResponse]: PartialResponse[Field] } => ({
  model: null,
  content: '',
  reasoning: '',
  finish_reason: null,
  usage: null,
});

/**
 * Appends the stream's events to the response and passes them on.
 * @throws CliError when the stream reports an error, or ends before it is complete
 */
export async function readResponse(
  { events, requestId }: ChatStream,
  response: ReturnType<typeof emptyResponse>,
  sink: ResponseSink,
): Promise<void> {
  for await (const { data } of events) {
    if (data === '[DONE]') return;
    const chunk = JSON.parse(data) as Chunk;
    if (chunk.error !== undefined) throw failed(chunk.error, requestId);
    response.model ??= chunk.model ?? null;
    if (chunk.usage !== undefined && chunk.usage !== null) response.usage = chunk.usage;
    for (const { delta, finish_reason: finished } of chunk.choices ?? []) {
      response.finish_reason = finished ?? response.finish_reason;
      const thought = delta?.reasoning_content ?? delta?.reasoning ?? '';
      const text = delta?.content ?? '';
      response.reasoning += thought;
      response.content += text;
      if (thought !== '') sink.reasoning(thought);
      if (text !== '') sink.content(text);
    }
  }
  throw new CliError('stream_ended_early', exitCodes.failure, 'the answer broke off before it was whole', {
    hint: 'ask again; ferry explain --last 1 says what happened',
    requestId: requestId ?? undefined,
  });
}

const failed = ({ message, code }: NonNullable<Chunk['error']>, requestId: string | null): CliError =>
  new CliError(code ?? 'stream_failed', exitCodes.failure, message ?? 'the answer failed', {
    requestId: requestId ?? undefined,
    hint: requestId === null ? undefined : `ferry explain ${requestId}`,
  });
