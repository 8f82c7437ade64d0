/** Converts the conversation of a messages request to chat messages (docs/reference/translation.md#messages-request-to-chat). */
import { stringifyExact } from '../../../kernel/exact-json.js';
import { elementsOf, isJsonObject, type JsonObject } from '../../../kernel/json-object.js';
import { MISSING_RESULT } from '../../chat/missing-result.js';
import type { FieldPath } from '../../requirements.js';
import { userContent, type ChatMessage, type ChatPart, type ChatToolCall } from './chat-request.js';
import { connectorText, partsOf } from './content-parts.js';
import { systemTextOf } from './system-text.js';
import { toolResults, type ToolResults } from './tool-results.js';

export interface TurnOptions {
  /** Called with the path of what has no equivalent in chat. */
  readonly drop: (path: FieldPath) => void;
  /** Called with the path of what the model gets in another form. */
  readonly change: (path: FieldPath) => void;
  /** Role of system texts within the conversation: not every template takes a second system message. */
  readonly laterSystem: 'system' | 'user';
}

/** @param from position of the first message; those before it are in the leading system message */
export function chatTurns(messages: unknown, from: number, options: TurnOptions): readonly ChatMessage[] {
  const turns = new Turns(toolResults(messages, options.drop), options);
  elementsOf(messages).forEach((message, index) => {
    if (index < from || !isJsonObject(message)) return;
    turns.add(message, index);
  });
  return turns.end();
}

class Turns {
  private readonly turns: ChatMessage[] = [];
  /** The user's turn so far. Consecutive messages are one, as with Anthropic: some templates require alternating roles. */
  private open: ChatPart[] | undefined;

  constructor(
    private readonly results: ToolResults,
    private readonly options: TurnOptions,
  ) {}

  add({ role, content }: JsonObject, index: number): void {
    const path = `messages[${index}].content`;
    if (role === 'system') this.system(systemTextOf(content, path, this.options.drop), path);
    else if (role === 'assistant') this.assistant(content, index);
    else if (role === 'user') this.user(content, path);
  }

  end(): readonly ChatMessage[] {
    this.closeUserTurn();
    return this.turns;
  }

  private closeUserTurn(): void {
    if (this.open !== undefined) this.turns.push({ role: 'user', content: userContent(this.open) });
    this.open = undefined;
  }

  private say(parts: readonly ChatPart[]): void {
    this.open = [...(this.open ?? []), ...parts];
  }

  private system(text: string, path: FieldPath): void {
    if (text === '') return;
    if (this.options.laterSystem === 'user') {
      this.options.change(path);
      this.say([{ type: 'text', text }]);
      return;
    }
    this.closeUserTurn();
    this.turns.push({ role: 'system', content: text });
  }

  private user(content: unknown, path: FieldPath): void {
    const { drop, change } = this.options;
    if (!Array.isArray(content)) {
      this.say(partsOf(content, path, drop));
      return;
    }
    const media = content.flatMap((block: unknown) => this.results.mediaOf(block));
    if (media.length > 0) this.say(media);
    /** A turn of blocks that are all dropped is still a turn; one of results or system texts only is not. */
    let isTurn = content.length === 0;
    let isSilent = media.length === 0;
    content.forEach((block: unknown, index) => {
      const blockPath = `${path}[${index}]`;
      const type = isJsonObject(block) ? block['type'] : undefined;
      // The message of a tool result follows the call.
      if (type === 'tool_result') return;
      if (isJsonObject(block) && type === 'mid_conv_system') {
        change(blockPath);
        isSilent = false;
        this.system(systemTextOf(block['content'] ?? block['text'], `${blockPath}.content`, drop), blockPath);
        return;
      }
      isTurn = true;
      if (connectorText(block) !== undefined) change(blockPath);
      const first = `${path}[0]`;
      const parts = partsOf([block], path, (lost) => drop(blockPath + lost.slice(first.length)));
      if (parts.length === 0) return;
      isSilent = false;
      this.say(parts);
    });
    if (isTurn && isSilent) this.open ??= [];
  }

  private assistant(content: unknown, index: number): void {
    const turn = this.assistantTurn(content, `messages[${index}].content`);
    if (turn === undefined) return;
    this.closeUserTurn();
    this.turns.push(turn.message, ...this.results.of(index));
    for (const { id, path } of turn.calls) {
      if (this.results.answers(index, id)) continue;
      this.options.change(path);
      this.turns.push({ role: 'tool', tool_call_id: id, content: MISSING_RESULT });
    }
  }

  /** Undefined when none of its blocks can be said in chat: engines refuse an empty message. */
  private assistantTurn(content: unknown, path: FieldPath): AssistantTurn | undefined {
    const reported: PreviousTurn = { text: typeof content === 'string' ? content : '', thoughts: [], calls: [] };
    const paths: FieldPath[] = [];
    elementsOf(content).forEach((block, index) => {
      if (!isJsonObject(block)) return;
      const blockPath = `${path}[${index}]`;
      const connected = connectorText(block);
      if (connected !== undefined) this.options.change(blockPath);
      if (block['type'] === 'tool_use') paths.push(blockPath);
      if (!take(block, connected, reported)) this.options.drop(blockPath);
    });
    const { text, thoughts, calls } = reported;
    if (Array.isArray(content) && content.length > 0 && text === '' && thoughts.length === 0 && calls.length === 0) {
      return undefined;
    }
    const reasoning = thoughts.join('\n\n');
    const message: ChatMessage = {
      role: 'assistant',
      content: text === '' && calls.length > 0 ? null : text,
      ...(reasoning !== '' && { reasoning_content: reasoning, reasoning }),
      ...(calls.length > 0 && { tool_calls: calls }),
    };
    return { message, calls: calls.map(({ id }, at) => ({ id, path: paths[at] ?? path })) };
  }
}

interface AssistantTurn {
  readonly message: ChatMessage;
  readonly calls: readonly { readonly id: string; readonly path: FieldPath }[];
}

interface PreviousTurn {
  text: string;
  readonly thoughts: string[];
  readonly calls: ChatToolCall[];
}

/** @returns false for a block without an equivalent in chat */
function take(block: JsonObject, connected: string | undefined, reported: PreviousTurn): boolean {
  if (connected !== undefined) {
    reported.text += connected;
    return true;
  }
  switch (block['type']) {
    case 'text':
      // Joined without separator: blocks were split at citations and calls.
      reported.text += String(block['text']);
      return true;
    case 'thinking':
      if (typeof block['thinking'] === 'string' && block['thinking'] !== '') reported.thoughts.push(block['thinking']);
      return true;
    case 'tool_use':
      reported.calls.push(toolCall(block));
      return true;
    default:
      return false;
  }
}

const toolCall = ({ id, name, input }: JsonObject): ChatToolCall => ({
  id: String(id),
  type: 'function',
  function: { name: String(name), arguments: stringifyExact(isJsonObject(input) ? input : {}) },
});
