import pc from 'picocolors';
import { CliError } from '../../core/errors/cli-error.js';
import type { Invocation } from '../../invocation.js';
import type { ChatResponse } from './chat-response.shape.js';
import type { ChatQuestion, InferenceClient } from './inference-client.js';
import { emptyResponse, readResponse } from './read-response.js';

/**
 * Text of a model as it streams to a terminal. Line ends and tabs pass; every other control character could alter the terminal and is shown
 * as U+FFFD. Into a pipe the text is written unchanged.
 */
const streamedText = (text: string): string =>
  text.replace(/(?![\n\t])[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');

interface AskOptions {
  readonly reasoning: boolean;
  readonly signal: AbortSignal;
  /** Called with each piece of the response before it is shown. */
  readonly onChunk?: () => void;
}

/** Sends one prompt; streams the response, or prints it whole with `--json`. @throws CliError, but not for a cancelled answer */
export async function ask(
  { terminal, global }: Invocation,
  client: InferenceClient,
  question: ChatQuestion,
  { reasoning, signal, onChunk }: AskOptions,
): Promise<ChatResponse> {
  const streams = global.output === 'table';
  const toTerminal = terminal.columns !== undefined;
  const { dim } = pc.createColors(terminal.stderrColors);
  const response = emptyResponse();
  let requestId: string | null = null;
  let thought = '';
  const flushThought = (): void => {
    if (thought !== '') terminal.note(dim(streamedText(thought.trimEnd())));
    thought = '';
  };
  try {
    const stream = await client.chat(question, signal);
    requestId = stream.requestId;
    await readResponse(stream, response, {
      content: (text) => {
        onChunk?.();
        flushThought();
        if (streams) terminal.write(toTerminal ? streamedText(text) : text);
      },
      reasoning: (text) => {
        onChunk?.();
        if (streams && reasoning) thought += text;
      },
    });
    flushThought();
  } catch (error) {
    if (!signal.aborted) {
      if (streams && response.content !== '') terminal.print('');
      throw error instanceof CliError ? error : client.broken(requestId, error);
    }
  }
  if (streams && response.content !== '' && !response.content.endsWith('\n')) terminal.print('');
  return {
    object: 'chat.answer',
    model: response.model ?? question.model,
    content: response.content,
    reasoning: reasoning ? response.reasoning : null,
    finish_reason: signal.aborted ? null : response.finish_reason,
    cancelled: signal.aborted,
    usage: response.usage,
    request_id: requestId,
  };
}
