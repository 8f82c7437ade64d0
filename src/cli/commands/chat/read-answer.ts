import { CliError } from '../../core/errors/cli-error.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import type { ChatAnswer } from './chat-answer.shape.js';
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
  readonly usage?: ChatAnswer['usage'];
}

interface AnswerSink {
  readonly content: (text: string) => void;
  readonly reasoning: (text: string) => void;
}

/** The part of an answer received so far; for a cancelled answer, the final state. */
type PartialAnswer = Pick<ChatAnswer, 'content' | 'finish_reason' | 'usage'> & {
  model: string | null;
  reasoning: string;
};

export const emptyAnswer = (): { -readonly [Field in keyof PartialAnswer]: PartialAnswer[Field] } => ({
  model: null,
  content: '',
  reasoning: '',
  finish_reason: null,
  usage: null,
});

/**
 * Appends the stream's events to the answer and passes them on.
 * @throws CliError when the stream reports an error, or ends before it is complete
 */
export async function readAnswer(
  { events, requestId }: ChatStream,
  answer: ReturnType<typeof emptyAnswer>,
  sink: AnswerSink,
): Promise<void> {
  for await (const { data } of events) {
    if (data === '[DONE]') return;
    const chunk = JSON.parse(data) as Chunk;
    if (chunk.error !== undefined) throw failed(chunk.error, requestId);
    answer.model ??= chunk.model ?? null;
    if (chunk.usage !== undefined && chunk.usage !== null) answer.usage = chunk.usage;
    for (const { delta, finish_reason: finished } of chunk.choices ?? []) {
      answer.finish_reason = finished ?? answer.finish_reason;
      const thought = delta?.reasoning_content ?? delta?.reasoning ?? '';
      const text = delta?.content ?? '';
      answer.reasoning += thought;
      answer.content += text;
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
