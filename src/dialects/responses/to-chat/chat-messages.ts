/** Converts items to chat messages (docs/reference/translation.md#responses-request-to-chat). */
import { stringifyExact } from '../../../kernel/exact-json.js';
import { elementsOf, isJsonObject, type JsonObject } from '../../../kernel/json-object.js';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { hasEffect } from '../../field-checks.js';
import type { FieldPath } from '../../requirements.js';
import type { ResponseItem } from '../items.js';
import { reasoningText } from '../reasoning-replay.js';
import { findTool, type DeclaredTool } from '../tools/declared-tools.js';
import { chatParts, mediaAmong, textOfParts, type ChatPart } from './chat-content.js';
import { Conversation } from './conversation.js';
import { DroppedFields } from './dropped-fields.js';
import type { PlacedItem } from './input-items.js';

/** Types of outputs that may have media parts; others are lists of something else. */
const outputsWithParts: readonly string[] = ['function_call_output', 'custom_tool_call_output'];

const textRoles: ReadonlySet<unknown> = new Set(['system', 'developer', 'assistant']);

export interface Context {
  /** Of this request; those of an earlier request are not kept (docs/reference/translation.md#continued-conversations). */
  readonly instructions: unknown;
  readonly earlier: readonly ResponseItem[];
  readonly input: readonly PlacedItem[];
}

export interface ChatConversation {
  readonly messages: readonly JsonObject[];
  /** The same for a template that takes no system message behind the first turn. Absent: there is none. */
  readonly withoutLaterSystem?: () => readonly JsonObject[];
  readonly changed: readonly FieldPath[];
}

/** @throws FerryError 400 for media without an equivalent in chat, and where nothing of the input has one */
export function chatMessages(
  { instructions, earlier, input }: Context,
  tools: readonly DeclaredTool[],
  dropped: DroppedFields,
): ChatConversation {
  const conversation = new Conversation();
  if (typeof instructions === 'string' && instructions !== '') conversation.system(instructions);
  // Dropped parts of earlier turns were reported with their own request.
  const unheard = new DroppedFields();
  for (const item of earlier) addItem(conversation, item, 'previous_response_id', tools, unheard);
  let asks = earlier.length > 0 || input.length === 0;
  for (const { item, path } of input) {
    if (!addItem(conversation, item, path, tools, dropped)) dropped.add(path);
    // Reasoning is said with the message that follows it.
    else if (item.type !== 'reasoning') asks = true;
  }
  if (!asks) throw nothingRequested(input);
  return {
    messages: conversation.messages(),
    ...(conversation.hasLaterSystem && { withoutLaterSystem: () => conversation.messages('user') }),
    changed: [...new Set(conversation.unanswered)],
  };
}

/** A request may have thousands of items. */
const MAX_NAMED_ITEMS = 8;

/** Engines refuse an empty list of messages, in words that name no item. */
function nothingRequested(input: readonly PlacedItem[]): FerryError {
  const named = input.slice(0, MAX_NAMED_ITEMS).map(({ item, path }) => `${path} (${describeItem(item)})`);
  const more = input.length > MAX_NAMED_ITEMS ? ', …' : '';
  return new FerryError(
    'invalid_request',
    `\`input\` has nothing that the model can be asked: ${named.join(', ')}${more}.`,
    { param: 'input' },
  );
}

const TYPE_NAME = /^[\w.-]{1,60}$/;

/** Names the item's type and those of its parts, where they look like types. */
function describeItem({ type, content }: ResponseItem): string {
  const parts = elementsOf(content).map((part) => (isJsonObject(part) ? part['type'] : undefined));
  const names = [type, ...parts.slice(0, MAX_NAMED_ITEMS)].map((name) =>
    typeof name === 'string' && TYPE_NAME.test(name) ? name : 'unknown',
  );
  const [own, ...others] = names;
  return others.length === 0 ? String(own) : `${String(own)} of ${others.join(', ')}`;
}

/** False when the item has no equivalent: an unknown kind, or encrypted by another service. */
function addItem(
  conversation: Conversation,
  item: ResponseItem,
  path: FieldPath,
  tools: readonly DeclaredTool[],
  dropped: DroppedFields,
): boolean {
  const { type, call_id: callId } = item;
  if (type === 'message') {
    const parts = chatParts(item['content'], `${path}.content`, dropped);
    if (parts.length === 0 && elementsOf(item['content']).length > 0) return false;
    addMessage(conversation, item, parts);
    // Chat has texts only there.
    if (textRoles.has(item['role']) && mediaAmong(parts).length > 0) dropped.add(`${path}.content`);
    // Whether a text was a comment or the response: the same for every message, and named once.
    if (hasEffect(item['phase'])) dropped.add('input.phase');
    return true;
  }
  if (type === 'reasoning') {
    const text = reasoningText(item);
    if (text !== '') conversation.reason(text);
    return text !== '';
  }
  if (typeof callId !== 'string') return false;
  if (type.endsWith('_call')) {
    conversation.call({ id: callId, ...calledBy(item, tools), path });
    return true;
  }
  if (!type.endsWith('_output')) return false;
  return conversation.result(callId, outputParts(item, `${path}.output`, dropped));
}

function addMessage(conversation: Conversation, { role }: ResponseItem, parts: readonly ChatPart[]): void {
  switch (role) {
    case 'system':
    case 'developer':
      // Templates support `system` only.
      conversation.system(textOfParts(parts));
      return;
    case 'assistant': {
      // The parts of one message are one text.
      const text = parts.map((part) => (part.type === 'text' ? part['text'] : '')).join('');
      if (text !== '') conversation.say(text);
      return;
    }
    default:
      conversation.user(parts);
  }
}

function calledBy(item: ResponseItem, tools: readonly DeclaredTool[]): { name: string; arguments: string } {
  const { type, name, namespace, arguments: given, input } = item;
  switch (type) {
    case 'function_call':
      return { name: chatNameOf('function', name, namespace, tools), arguments: argumentsObject(given) };
    case 'custom_tool_call':
      return { name: chatNameOf('custom', name, namespace, tools), arguments: stringifyExact({ input }) };
    default: {
      // A hosted tool run by the client, such as `local_shell_call`: its payload is the arguments.
      const payload = Object.entries(item).filter(([field]) => !['type', 'id', 'call_id', 'status'].includes(field));
      return { name: type.slice(0, -'_call'.length), arguments: stringifyExact(Object.fromEntries(payload)) };
    }
  }
}

/** Earlier calls use the engine's name of the tool, so that models do not learn a wrong one. */
function chatNameOf(
  kind: DeclaredTool['kind'],
  name: unknown,
  namespace: unknown,
  tools: readonly DeclaredTool[],
): string {
  const declared = findTool(tools, kind, name, namespace);
  if (declared !== undefined) return declared.chatName;
  return typeof namespace === 'string' ? `${namespace}__${String(name)}` : String(name);
}

/** Wraps arguments that are not a JSON object, which engines refuse and templates fail on. */
function argumentsObject(given: unknown): string {
  if (isJsonObject(given)) return stringifyExact(given);
  if (typeof given !== 'string' || given.trim() === '') return '{}';
  try {
    if (isJsonObject(JSON.parse(given))) return given;
  } catch {
    // The text is no JSON.
  }
  return JSON.stringify({ invalid_arguments: given });
}

function outputParts(item: ResponseItem, path: FieldPath, dropped: DroppedFields): readonly ChatPart[] {
  const { type, output } = item;
  if (typeof output === 'string' || outputsWithParts.includes(type)) return chatParts(output, path, dropped);
  const screenshot = isJsonObject(output) ? chatParts([output], path, dropped) : [];
  return screenshot.length > 0 ? screenshot : [{ type: 'text', text: stringifyExact(output ?? null) }];
}
