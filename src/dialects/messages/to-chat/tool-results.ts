import { elementsOf, isJsonObject, type JsonObject } from '../../../kernel/json-object.js';
import type { FieldPath } from '../../requirements.js';
import type { ChatMessage, ChatPart } from './chat-request.js';
import { partsOf } from './content-parts.js';

/** The results of a conversation's calls: chat requires them directly behind the message of their call, wherever the client has put them. */
export interface ToolResults {
  /** Those of the calls in this message, in the order of the conversation. */
  of(messageIndex: number): readonly ChatMessage[];
  /** Whether the call in this message has one. */
  answers(messageIndex: number, callId: string): boolean;
  /** Media of a `tool_result` block, which stay in the user's turn: most engines accept only text from tools. */
  mediaOf(block: unknown): readonly ChatPart[];
}

/** @param messages validated: every result belongs to an earlier call */
export function toolResults(messages: unknown, drop: (path: FieldPath) => void): ToolResults {
  const byCaller = new Map<number, ChatMessage[]>();
  const responded = new Map<number, Set<string>>();
  const media = new Map<unknown, readonly ChatPart[]>();
  /** Some engines number calls from `call_0` in every response: a result belongs to the latest call of its id. */
  const callers = new Map<string, number>();
  elementsOf(messages).forEach((message, messageIndex) => {
    if (!isJsonObject(message)) return;
    elementsOf(message['content']).forEach((block, index) => {
      if (!isJsonObject(block)) return;
      if (block['type'] === 'tool_use' && message['role'] === 'assistant') {
        callers.set(String(block['id']), messageIndex);
      } else if (block['type'] === 'tool_result' && message['role'] === 'user') {
        const id = String(block['tool_use_id']);
        const caller = callers.get(id) ?? messageIndex;
        const result = toolResult(block, id, `messages[${messageIndex}].content[${index}]`, drop);
        byCaller.set(caller, [...(byCaller.get(caller) ?? []), result.message]);
        responded.set(caller, (responded.get(caller) ?? new Set()).add(id));
        media.set(block, result.media);
      }
    });
  });
  return {
    of: (messageIndex) => byCaller.get(messageIndex) ?? [],
    answers: (messageIndex, callId) => responded.get(messageIndex)?.has(callId) === true,
    mediaOf: (block) => media.get(block) ?? [],
  };
}

function toolResult(
  block: JsonObject,
  id: string,
  path: FieldPath,
  drop: (path: FieldPath) => void,
): { readonly message: ChatMessage; readonly media: readonly ChatPart[] } {
  const texts: string[] = [];
  const media: ChatPart[] = [];
  for (const part of partsOf(block['content'], `${path}.content`, drop)) {
    if (part.type === 'text') texts.push(part.text);
    else media.push(part);
  }
  const content = texts.join('\n\n');
  return {
    message: {
      role: 'tool',
      tool_call_id: id,
      // Chat has no field for it; models understand the text.
      content: block['is_error'] === true ? `Error: ${content}` : content,
    },
    media: media.length === 0 ? [] : [{ type: 'text', text: `[tool result image for call ${id}]` }, ...media],
  };
}
