/**
 * Converts the conversation of a messages request to chat messages, without system messages
 * (docs/reference/translation.md#messages-request-to-chat).
 */
import { stringifyExact } from '../../../kernel/exact-json.js';
import { elementsOf, isJsonObject, type JsonObject } from '../../../kernel/json-object.js';
import { userContent, type ChatMessage, type ChatPart, type ChatToolCall } from './chat-request.js';
import type { FieldPath } from '../../requirements.js';
import { partsOf } from './content-parts.js';

type Drop = (path: FieldPath) => void;

export function chatTurns(messages: unknown, drop: Drop): readonly ChatMessage[] {
  const turns: ChatMessage[] = [];
  let open: ChatPart[] | undefined;
  /** Joins consecutive user messages, as Anthropic does, because some templates require alternating roles. */
  const closeUserTurn = (): void => {
    if (open !== undefined) turns.push({ role: 'user', content: userContent(open) });
    open = undefined;
  };
  elementsOf(messages).forEach((message, index) => {
    if (!isJsonObject(message)) return;
    const path = `messages[${index}].content`;
    if (message['role'] === 'user') {
      const { results, parts } = userTurn(message['content'], path, drop);
      if (results.length > 0) closeUserTurn();
      turns.push(...results);
      if (results.length === 0 || parts.length > 0) open = [...(open ?? []), ...parts];
    } else if (message['role'] === 'assistant') {
      closeUserTurn();
      turns.push(assistantTurn(message['content'], path, drop));
    }
  });
  closeUserTurn();
  return turns;
}

interface UserTurn {
  /** Tool results come first in a user message, directly after the calls. */
  readonly results: readonly ChatMessage[];
  readonly parts: readonly ChatPart[];
}

function userTurn(content: unknown, path: FieldPath, drop: Drop): UserTurn {
  if (!Array.isArray(content)) return { results: [], parts: partsOf(content, path, drop) };
  const results: ChatMessage[] = [];
  const fromResults: ChatPart[] = [];
  const parts: ChatPart[] = [];
  content.forEach((block: unknown, index) => {
    const blockPath = `${path}[${index}]`;
    if (isJsonObject(block) && block['type'] === 'tool_result') {
      const { message, media } = toolResult(block, blockPath, drop);
      results.push(message);
      fromResults.push(...media);
    } else {
      parts.push(...partsOf([block], path, () => drop(blockPath)));
    }
  });
  return { results, parts: [...fromResults, ...parts] };
}

/** Most engines accept only text from tools: images follow in a user message. */
function toolResult(block: JsonObject, path: FieldPath, drop: Drop): { message: ChatMessage; media: ChatPart[] } {
  const id = String(block['tool_use_id']);
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

function assistantTurn(content: unknown, path: FieldPath, drop: Drop): ChatMessage {
  let text = '';
  const thoughts: string[] = [];
  const calls: ChatToolCall[] = [];
  if (typeof content === 'string') text = content;
  elementsOf(content).forEach((block, index) => {
    if (!isJsonObject(block)) return;
    switch (block['type']) {
      case 'text':
        // Joined without separator: blocks were split at citations and calls.
        text += String(block['text']);
        return;
      case 'thinking':
        if (typeof block['thinking'] === 'string' && block['thinking'] !== '') thoughts.push(block['thinking']);
        return;
      case 'tool_use':
        calls.push(toolCall(block));
        return;
      default:
        drop(`${path}[${index}]`);
    }
  });
  const reasoning = thoughts.join('\n\n');
  return {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    ...(reasoning !== '' && { reasoning_content: reasoning, reasoning }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

const toolCall = ({ id, name, input }: JsonObject): ChatToolCall => ({
  id: String(id),
  type: 'function',
  function: { name: String(name), arguments: stringifyExact(isJsonObject(input) ? input : {}) },
});
