/**
 * Normalises the input: typed items with resolved references (docs/reference/client-protocols.md#responses).
 */
import { elementsOf, isJsonObject, type JsonObject } from '../../../kernel/json-object.js';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import type { FieldPath } from '../../requirements.js';
import { itemType } from '../item-type.js';
import type { ResponseItem } from '../items.js';

export interface PlacedItem {
  readonly item: ResponseItem;
  /** Path in the request; absent for earlier items. */
  readonly path: FieldPath;
}

/** `context`: the item is already one of the earlier items. */
type FindItem = (id: string) => ResponseItem | 'context' | undefined;

/** @throws FerryError `previous_response_not_found` for a reference to an unknown item */
export function readInputItems(input: unknown, findItem: FindItem): readonly PlacedItem[] {
  if (typeof input === 'string') {
    const content = [{ type: 'input_text', text: input }];
    return [{ item: { type: 'message', role: 'user', content }, path: 'input' }];
  }
  return elementsOf(input).flatMap((item, index): readonly PlacedItem[] => {
    const type = isJsonObject(item) ? itemType(item) : undefined;
    if (!isJsonObject(item) || type === undefined) return [];
    const path = `input[${String(index)}]`;
    if (type !== 'item_reference') return [{ item: { ...item, type }, path }];
    const found = referenced(item, path, findItem);
    return found === 'context' ? [] : [{ item: found, path }];
  });
}

function referenced({ id }: JsonObject, path: FieldPath, findItem: FindItem): ResponseItem | 'context' {
  const item = typeof id === 'string' ? findItem(id) : undefined;
  if (item !== undefined) return item;
  throw new FerryError('previous_response_not_found', `Item with id '${String(id)}' not found.`, {
    param: `${path}.id`,
  });
}

/** Types of outputs whose call must be in the conversation; unknown types are not checked. */
const outputsOfOurs: ReadonlyMap<string, string> = new Map([
  ['function_call_output', 'function call output'],
  ['custom_tool_call_output', 'custom tool call output'],
]);

/**
 * Every output must belong to a call, possibly in the stored conversation, so only the node can check it
 * (docs/reference/translation.md#rejected-and-dropped-fields).
 * @throws FerryError 400 with OpenAI's own message.
 */
export function checkToolOutputs(input: readonly PlacedItem[], earlier: readonly ResponseItem[]): void {
  const calls = new Set<unknown>();
  for (const item of [...earlier, ...input.map((placed) => placed.item)]) {
    if (!outputsOfOurs.has(item.type)) calls.add(item['call_id']);
  }
  for (const { item, path } of input) {
    const kind = outputsOfOurs.get(item.type);
    const callId = item['call_id'];
    if (kind === undefined || calls.has(callId)) continue;
    throw new FerryError('invalid_request', `No tool call found for ${kind} with call_id ${String(callId)}.`, {
      param: `${path}.call_id`,
    });
  }
}
