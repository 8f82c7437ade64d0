/** Converts output events to Chat Completions chunks or one completion (docs/reference/client-protocols.md#chat-completions). */
import type { EngineObject } from '../../engine.js';
import { randomId, stopReason, usageObject, type ResponseEnvelope } from './response-envelope.js';
import type { FinishReason, GenerationUsage, OutputEvent } from './output-event.js';

/** Chunks of one choice of a stream. */
export class ChatChunks {
  private started = false;
  private callIndex = -1;

  constructor(
    private readonly envelope: ResponseEnvelope,
    private readonly choice: number,
  ) {}

  /** The chunks of one step. The first chunk has the role, which SDK helpers require. */
  push(events: readonly OutputEvent[]): readonly EngineObject[] {
    const chunks = events.map((event) => this.chunkOf(event));
    if (this.started) return chunks;
    this.started = true;
    return [this.chunk({ role: 'assistant', content: '' }), ...chunks];
  }

  private chunkOf(event: OutputEvent): EngineObject {
    switch (event.kind) {
      case 'content':
        return this.chunk({ content: event.text });
      case 'reasoning':
        return this.chunk({ reasoning_content: event.text });
      case 'call':
        this.callIndex += 1;
        return this.chunk({
          tool_calls: [
            {
              index: this.callIndex,
              id: randomId('call_'),
              type: 'function',
              function: { name: event.name, arguments: '' },
            },
          ],
        });
      case 'arguments':
        return this.chunk({ tool_calls: [{ index: this.callIndex, function: { arguments: event.text } }] });
      case 'finish':
        return this.chunk({}, event.reason, event.stopText);
      default:
        return event satisfies never;
    }
  }

  private chunk(delta: EngineObject, finishReason: FinishReason | null = null, stopText?: string): EngineObject {
    return {
      ...this.envelope,
      object: 'chat.completion.chunk',
      choices: [{ index: this.choice, delta, logprobs: null, finish_reason: finishReason, ...stopReason(stopText) }],
    };
  }
}

/** The last chunk of every stream; the exchange drops it unless the client requested it. */
export const chatUsageChunk = (envelope: ResponseEnvelope, usages: readonly GenerationUsage[]): EngineObject => ({
  ...envelope,
  object: 'chat.completion.chunk',
  choices: [],
  usage: usageObject(usages),
});

interface WholeCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; arguments: string };
}

/** One choice of a non-streaming answer. */
export function chatChoice(events: readonly OutputEvent[], index: number): EngineObject {
  let content = '';
  let reasoning = '';
  let finishReason: FinishReason = 'stop';
  let stopText: string | undefined;
  const calls: WholeCall[] = [];
  for (const event of events) {
    switch (event.kind) {
      case 'content':
        content += event.text;
        break;
      case 'reasoning':
        reasoning += event.text;
        break;
      case 'call':
        calls.push({ id: randomId('call_'), type: 'function', function: { name: event.name, arguments: '' } });
        break;
      case 'arguments': {
        const call = calls.at(-1);
        if (call !== undefined) call.function.arguments += event.text;
        break;
      }
      case 'finish':
        finishReason = event.reason;
        ({ stopText } = event);
        break;
      default:
        return event satisfies never;
    }
  }
  return {
    index,
    message: {
      role: 'assistant',
      content: content === '' && calls.length > 0 ? null : content,
      refusal: null,
      ...(reasoning !== '' && { reasoning_content: reasoning }),
      ...(calls.length > 0 && { tool_calls: calls }),
    },
    logprobs: null,
    finish_reason: finishReason,
    ...stopReason(stopText),
  };
}

export const chatCompletion = (
  envelope: ResponseEnvelope,
  choices: readonly EngineObject[],
  usages: readonly GenerationUsage[],
): EngineObject => ({ ...envelope, object: 'chat.completion', choices, usage: usageObject(usages) });
