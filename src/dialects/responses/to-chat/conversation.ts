/** Builds chat messages in the order required by templates and engines (docs/reference/translation.md#responses-request-to-chat). */
import type { JsonObject } from '../../../kernel/json-object.js';
import { MISSING_RESULT } from '../../chat/missing-result.js';
import type { FieldPath } from '../../requirements.js';
import { contentOfParts, mediaAmong, textOfParts, type ChatPart } from './chat-content.js';

interface ChatCall {
  readonly id: string;
  readonly name: string;
  /** The text of a JSON object. */
  readonly arguments: string;
  /** The position in the request is reported with an error. */
  readonly path: FieldPath;
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

/** One turn of the assistant with its calls and their results: chat requires one message directly before the results. */
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
    // Some engines number calls from `call_0` in every response: an output belongs to the latest call of its id.
    this.callers.set(call.id, turn);
  }

  /** False when the conversation has no such call. */
  result(callId: string, parts: readonly ChatPart[]): boolean {
    const caller = this.callers.get(callId);
    caller?.results.push({ callId, parts });
    return caller !== undefined;
  }

  /** The turn of an item of the assistant: the last one until all its calls are answered. */
  private assistant(): AssistantTurn {
    const last = this.turns.at(-1);
    if (last?.kind === 'assistant' && (last.results.length === 0 || last.results.length < last.calls.length))
      return last;
    const turn: AssistantTurn = { kind: 'assistant', reasoning: [], texts: [], calls: [], results: [] };
    this.turns.push(turn);
    return turn;
  }

  /** Paths of the calls without a result, which get a neutral one. */
  get unanswered(): readonly FieldPath[] {
    return this.turns.flatMap((turn) =>
      turn.kind === 'assistant' ? withoutResponseIn(turn).map(({ path }) => path) : [],
    );
  }

  /** A system message follows another message. */
  get hasLaterSystem(): boolean {
    const first = this.turns.findIndex(({ kind }) => kind !== 'system');
    return first !== -1 && this.turns.slice(first).some(({ kind }) => kind === 'system');
  }

  /** @param laterSystem role of system texts behind the first turn */
  messages(laterSystem: 'system' | 'user' = 'system'): readonly JsonObject[] {
    const firstOther = this.turns.findIndex(({ kind }) => kind !== 'system');
    const leading = firstOther === -1 ? this.turns.length : firstOther;
    const system = this.turns.slice(0, leading).flatMap((turn) => (turn.kind === 'system' ? [turn.text] : []));
    return [
      // Many templates fail on a second system message.
      ...(system.length > 0 ? [{ role: 'system', content: system.join(PARAGRAPH) }] : []),
      ...this.turns.slice(leading).flatMap((turn) => messagesOf(turn, laterSystem)),
    ];
  }
}

function messagesOf(
  turn: SystemTurn | UserTurn | AssistantTurn,
  laterSystem: 'system' | 'user',
): readonly JsonObject[] {
  switch (turn.kind) {
    case 'system':
      return [{ role: laterSystem, content: turn.text }];
    case 'user':
      return [{ role: 'user', content: contentOfParts(turn.parts) }];
    case 'assistant':
      return assistantMessages(turn);
    default:
      return turn satisfies never;
  }
}

const withoutResponseIn = ({ calls, results }: AssistantTurn): readonly ChatCall[] => {
  if (results.length >= calls.length) return [];
  const responded = new Set(results.map(({ callId }) => callId));
  return calls.filter(({ id }) => !responded.has(id));
};

function assistantMessages(turn: AssistantTurn): readonly JsonObject[] {
  const { reasoning, texts, calls, results } = turn;
  // Reasoning without a message is dropped.
  if (texts.length === 0 && calls.length === 0) return [];
  const thoughts = reasoning.join(PARAGRAPH);
  return [
    {
      role: 'assistant',
      // Templates expect null, not an empty text, for a turn with calls only.
      content: texts.length === 0 ? null : texts.join(PARAGRAPH),
      // Engines read one of the two names.
      ...(thoughts !== '' && { reasoning_content: thoughts, reasoning: thoughts }),
      ...(calls.length > 0 && { tool_calls: calls.map(toolCall) }),
    },
    ...results.map(toolMessage),
    ...withoutResponseIn(turn).map(({ id }) => ({ role: 'tool', tool_call_id: id, content: MISSING_RESULT })),
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

/** Most engines refuse media in tool messages: they follow in a user message, after all results. */
function pictures(results: readonly ToolResult[]): readonly JsonObject[] {
  const shown = results.flatMap(({ callId, parts }): readonly ChatPart[] => {
    const media = mediaAmong(parts);
    return media.length === 0 ? [] : [{ type: 'text', text: `[tool result image for call ${callId}]` }, ...media];
  });
  return shown.length === 0 ? [] : [{ role: 'user', content: shown }];
}
