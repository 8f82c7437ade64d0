/**
 * Assigns fragments to tool calls of the answer, because engines omit indices, repeat ids, or number every call 0
 * (docs/reference/translation.md#chat-stream-to-a-responses-stream).
 */
import type { ToolCallFragment } from './engine-chunk.js';
import { JsonEndScanner } from '../../kernel/json-end-scanner.js';

interface Slot<Call> {
  readonly call: Call;
  readonly id: string;
  /** Empty until known. */
  name: string;
  readonly written: JsonEndScanner;
}

/** Limit of calls in one answer: a looping model must not exhaust the node's memory. */
export const MAX_TOOL_CALLS = 512;

export class ToolCallSlots<Call> {
  private readonly byPlace = new Map<number, Slot<Call>>();
  private readonly byId = new Map<string, Slot<Call>>();
  private opened = 0;

  /** `open` is called for the first fragment of each call. Beyond {@link MAX_TOOL_CALLS} calls the result is undefined. */
  constructor(private readonly open: (fragment: ToolCallFragment) => Call) {}

  /** @param position of the fragment among those of its chunk */
  callOf(fragment: ToolCallFragment, position: number): Call | undefined {
    const place = fragment.index ?? position;
    const known = this.find(fragment, place);
    const slot = known === undefined || beginsAnother(fragment, known) ? this.openSlot(fragment, place) : known;
    if (slot === undefined) return undefined;
    slot.name ||= fragment.name;
    slot.written.push(fragment.arguments);
    return slot.call;
  }

  private find(fragment: ToolCallFragment, place: number): Slot<Call> | undefined {
    const sameId = fragment.index === null && fragment.id !== '' ? this.byId.get(fragment.id) : undefined;
    return sameId ?? this.byPlace.get(place);
  }

  private openSlot(fragment: ToolCallFragment, place: number): Slot<Call> | undefined {
    if (this.opened === MAX_TOOL_CALLS) return undefined;
    this.opened += 1;
    const slot = { call: this.open(fragment), id: fragment.id, name: fragment.name, written: new JsonEndScanner() };
    this.byPlace.set(place, slot);
    if (fragment.id !== '') this.byId.set(fragment.id, slot);
    return slot;
  }
}

/**
 * A fragment at a known place that is not a continuation. Only one with a name can be: engines that make up a new id for every
 * fragment, or repeat name and id in each, still continue the same call.
 */
function beginsAnother<Call>(fragment: ToolCallFragment, known: Slot<Call>): boolean {
  if (fragment.name === '' || known.name === '') return false;
  const otherId = fragment.id !== '' && fragment.id !== known.id;
  const otherName = fragment.name !== known.name;
  if (otherName && (otherId || fragment.index === null)) return true;
  // Text after complete arguments would make them invalid.
  return known.written.complete && (otherId || fragment.arguments.trim() !== '');
}
