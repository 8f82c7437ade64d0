/** Builds chat messages in an order that templates and strict engines accept (docs/reference/translation.md#responses-request-to-chat). */
import type { JsonObject } from '../../../kernel/json-object.js';
import { contentOfParts, mediaAmong, textOfParts, type ChatPart } from './chat-content.js';

export interface ChatCall {
  readonly id: string;
  readonly name: string;
  /** The text of a JSON object. */
  readonly arguments: string;
}

interface ToolResult {
  readonly callId: string;
  readonly parts: readonly ChatPart[];
}

interface SystemTurn {
  readonly kind: 'system';
  readonly text: string;
}

interface UserTurn {
  readonly kind: 'user';
  readonly parts: readonly ChatPart[];
}

/** Everything the assistant said and called at once, and what its calls gave: chat wants one message, directly before the results. */
interface AssistantTurn {
  readonly kind: 'assistant';
  readonly reasoning: string[];
  readonly texts: string[];
  readonly calls: ChatCall[];
  readonly results: ToolResult[];
}

const PARAGRAPH = '\n\n';

export class Conversation {
  private readonly turns: (SystemTurn | UserTurn | AssistantTurn)[] = [];
  private readonly callers = new Map<string, AssistantTurn>();

  system(text: string): void {
    this.turns.push({ kind: 'system', text });
  }

  user(parts: readonly ChatPart[]): void {
    this.turns.push({ kind: 'user', parts });
  }

  reason(text: string): void {
    this.assistant().reasoning.push(text);
  }

  say(text: string): void {
    this.assistant().texts.push(text);
  }

  call(call: ChatCall): void {
    const turn = this.assistant();
    turn.calls.push(call);
    // Engines that count from `call_0` in every answer repeat ids: an output belongs to the latest.
    this.callers.set(call.id, turn);
  }

  /** False when nothing in the conversation made this call: there is no place for its result. */
  result(callId: string, parts: readonly ChatPart[]): boolean {
    const caller = this.callers.get(callId);
    caller?.results.push({ callId, parts });
    return caller !== undefined;
  }

  /** The turn that an item of the assistant belongs to: the last one, while its calls are not all answered. */
  private assistant(): AssistantTurn {
    const last = this.turns.at(-1);
    if (last?.kind === 'assistant' && (last.results.length === 0 || last.results.length < last.calls.length))
      return last;
    const turn: AssistantTurn = { kind: 'assistant', reasoning: [], texts: [], calls: [], results: [] };
    this.turns.push(turn);
    return turn;
  }

  messages(): readonly JsonObject[] {
    const firstOther = this.turns.findIndex(({ kind }) => kind !== 'system');
    const leading = firstOther === -1 ? this.turns.length : firstOther;
    const system = this.turns.slice(0, leading).flatMap((turn) => (turn.kind === 'system' ? [turn.text] : []));
    return [
      // Many templates fail on a second system message.
      ...(system.length > 0 ? [{ role: 'system', content: system.join(PARAGRAPH) }] : []),
      ...this.turns.slice(leading).flatMap(messagesOf),
    ];
  }
}

function messagesOf(turn: SystemTurn | UserTurn | AssistantTurn): readonly JsonObject[] {
  switch (turn.kind) {
    case 'system':
      return [{ role: 'system', content: turn.text }];
    case 'user':
      return [{ role: 'user', content: contentOfParts(turn.parts) }];
    case 'assistant':
      return assistantMessages(turn);
    default:
      return turn satisfies never;
  }
}

function assistantMessages({ reasoning, texts, calls, results }: AssistantTurn): readonly JsonObject[] {
  // Thoughts that led to nothing have no message to go with.
  if (texts.length === 0 && calls.length === 0) return [];
  const thoughts = reasoning.join(PARAGRAPH);
  return [
    {
      role: 'assistant',
      // null, not an empty text, is what templates take for "called tools and said nothing".
      content: texts.length === 0 ? null : texts.join(PARAGRAPH),
      // Engines read one name or the other.
      ...(thoughts !== '' && { reasoning_content: thoughts, reasoning: thoughts }),
      ...(calls.length > 0 && { tool_calls: calls.map(toolCall) }),
    },
    ...results.map(toolMessage),
    ...pictures(results),
  ];
}

const toolCall = ({ id, name, arguments: text }: ChatCall): JsonObject => ({
  id,
  type: 'function',
  function: { name, arguments: text },
});

const toolMessage = ({ callId, parts }: ToolResult): JsonObject => {
  const text = textOfParts(parts);
  const isShown = text === '' && mediaAmong(parts).length > 0;
  return { role: 'tool', tool_call_id: callId, content: isShown ? '[the result follows]' : text };
};

/** Most engines refuse media in tool messages: the user shows them, behind all results so that these stay with their calls. */
function pictures(results: readonly ToolResult[]): readonly JsonObject[] {
  const shown = results.flatMap(({ callId, parts }): readonly ChatPart[] => {
    const media = mediaAmong(parts);
    return media.length === 0 ? [] : [{ type: 'text', text: `[tool result image for call ${callId}]` }, ...media];
  });
  return shown.length === 0 ? [] : [{ role: 'user', content: shown }];
}
