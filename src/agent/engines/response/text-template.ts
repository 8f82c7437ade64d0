/**
 * Engines repeat a whole chunk for every token and change only its text. Such an event is recognised by comparing its bytes with an event
 * that was parsed before: whatever was found out about that one holds for this one too, so it needs no parsing.
 */
import { isUtf8 } from 'node:buffer';
import { findMembers, type JsonMember } from '../../../kernel/json-members.js';
import { isJsonObject } from '../../../kernel/json-object.js';
import { TEXT_PLACEHOLDER, type EngineObject, type RepeatedEvents } from '../engine.js';

const FIELD = 'data: ';
const EVENT_END = '\n\n';
/** Longer ones are parsed: they may have to be split. */
const MAX_EVENT_BYTES = 16 * 1024;
/** Templates without any match, as with log probabilities, make the next one wait for twice as many chunks, up to this many. */
const MAX_PAUSE_CHUNKS = 256;

const choicesKey: ReadonlySet<string> = new Set(['choices']);
const textHolders: ReadonlySet<string> = new Set(['delta', 'text']);
const textKeys: ReadonlySet<string> = new Set(['content', 'reasoning_content', 'reasoning']);

interface Template {
  /** The whole event. */
  readonly event: Buffer;
  /** Points at the text behind its opening quote. */
  readonly start: number;
  readonly end: number;
  readonly like: EngineObject;
}

/**
 * An event for each token of a thousand streams finds nothing of its stream in the processor's caches. Therefore all that it needs is in
 * this object and in one piece of memory, and is read in one go.
 */
export class TextTemplate {
  private template: Template | undefined;
  /** The template's event, followed by what is sent before the text and after it. Undefined until an event comes that is like it. */
  private memory: Buffer | undefined;
  /** Parts of the memory: the text of the event, the end of the event and of what goes before the text. */
  private textStart = 0;
  private textEnd = 0;
  private eventEnd = 0;
  private beforeEnd = 0;
  private matched = false;
  private pauseChunks = 0;
  private chunksToSkip = 0;

  /**
   * @param data of the event, which `chunk` was parsed from
   * @param chunk as it is passed on, not yet changed by its receiver
   */
  learn(data: string, chunk: EngineObject): void {
    if (this.chunksToSkip > 0) {
      this.chunksToSkip -= 1;
      return;
    }
    const like = withPlaceholder(chunk);
    const next = like === undefined ? undefined : templateOf(data, like);
    if (next === undefined) return;
    if (this.textStart > 0) {
      this.pauseChunks = this.matched ? 0 : Math.min(this.pauseChunks * 2 + 1, MAX_PAUSE_CHUNKS);
      this.chunksToSkip = this.pauseChunks;
    }
    this.template = next;
    this.memory = undefined;
    this.textStart = next.start;
    this.textEnd = next.end;
    this.eventEnd = next.event.length;
    this.matched = false;
  }

  /**
   * @param bytes received between two events
   * @returns the event to send; undefined unless the bytes are one whole event like the one learned
   */
  match(bytes: Buffer, events: RepeatedEvents): Buffer | undefined {
    const { textStart, eventEnd } = this;
    if (textStart === 0 || bytes.length > MAX_EVENT_BYTES) return undefined;
    const textEnd = bytes.length - (eventEnd - this.textEnd);
    // Without a text it may be no output: that is for the parser's reader to say.
    if (textEnd <= textStart) return undefined;
    const known = this.memory ?? this.template?.event;
    if (known === undefined || !sameBytes(known, 0, bytes, 0, textStart)) return undefined;
    if (!sameBytes(known, this.textEnd, bytes, textEnd, bytes.length - textEnd)) return undefined;
    if (!isJsonText(bytes, textStart, textEnd)) return undefined;
    this.matched = true;
    const memory = this.memory ?? this.remember(events);
    const { beforeEnd } = this;
    const textTo = beforeEnd - eventEnd;
    const afterTo = textTo + textEnd - textStart;
    const event = Buffer.allocUnsafe(afterTo + memory.length - beforeEnd);
    copyBytes(memory, eventEnd, beforeEnd, event, 0);
    copyBytes(bytes, textStart, textEnd, event, textTo);
    copyBytes(memory, beforeEnd, memory.length, event, afterTo);
    return event;
  }

  private remember(events: RepeatedEvents): Buffer {
    const { template } = this;
    if (template === undefined) throw new Error('no template');
    const [before, after] = events.around(template.like);
    const parts = [template.event, Buffer.from(before), Buffer.from(after)];
    // Memory of its own: a slice of the shared pool would keep all of it for as long as the stream lasts.
    const memory = Buffer.allocUnsafeSlow(parts.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of parts) at += part.copy(memory, at);
    this.memory = memory;
    this.beforeEnd = memory.length - (parts[2]?.length ?? 0);
    this.template = undefined;
    return memory;
  }
}

/** A copy of the levels that receivers change. Undefined unless the chunk has one choice, one text, and nothing else that counts. */
function withPlaceholder(chunk: EngineObject): EngineObject | undefined {
  const { choices, usage } = chunk;
  if (usage != null || !Array.isArray(choices) || choices.length !== 1) return undefined;
  const choice: unknown = choices[0];
  if (!isJsonObject(choice) || choice['finish_reason'] !== null) return undefined;
  const { delta, text } = choice;
  if (delta === undefined)
    return isText(text) ? { ...chunk, choices: [{ ...choice, text: TEXT_PLACEHOLDER }] } : undefined;
  if (!isJsonObject(delta) || text !== undefined || delta['tool_calls'] != null) return undefined;
  const key = onlyTextOf(delta);
  return key === undefined
    ? undefined
    : { ...chunk, choices: [{ ...choice, delta: { ...delta, [key]: TEXT_PLACEHOLDER } }] };
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

function onlyTextOf(delta: EngineObject): string | undefined {
  const keys = Object.keys(delta).filter((key) => textKeys.has(key) && isText(delta[key]));
  return keys.length === 1 ? keys[0] : undefined;
}

function templateOf(data: string, like: EngineObject): Template | undefined {
  // The lines of an event of several are joined before they are parsed.
  if (data.length > MAX_EVENT_BYTES || /[\r\n]/.test(data)) return undefined;
  const text = `${FIELD}${data}${EVENT_END}`;
  const event = Buffer.from(text);
  const choices = only(event, choicesKey, FIELD.length);
  let holder = choices && only(event, textHolders, choices.start + 1);
  if (holder?.key === 'delta') holder = textOf(event, holder.start);
  // The key may have been another one for the parser, which takes the last of a repeated one.
  return holder && event[holder.start] === QUOTE
    ? { event, start: holder.start + 1, end: holder.end - 1, like }
    : undefined;
}

/** Undefined where a key is repeated. */
function only(json: Buffer, wanted: ReadonlySet<string>, from: number): JsonMember | undefined {
  const { members } = findMembers(json, wanted, from);
  return members.length === 1 ? members[0] : undefined;
}

/** The text among members that may be null or empty. */
function textOf(json: Buffer, from: number): JsonMember | undefined {
  const { members } = findMembers(json, textKeys, from);
  if (new Set(members.map(({ key }) => key)).size !== members.length) return undefined;
  return members.find(({ start, end }) => json[start] === QUOTE && end - start > 2);
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
/** `"`, `\`, `/`, b, f, n, r, t. */
const ESCAPED: ReadonlySet<number> = new Set([QUOTE, BACKSLASH, 0x2f, 0x62, 0x66, 0x6e, 0x72, 0x74]);

/** Whether these bytes between quotes are one JSON string: no quote of their own that would end it, and nothing that a parser refuses. */
function isJsonText(bytes: Buffer, start: number, end: number): boolean {
  let ascii = true;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x20 || byte === QUOTE) return false;
    if (byte >= 0x80) ascii = false;
    if (byte !== BACKSLASH) continue;
    at += 1;
    const escaped = at < end ? (bytes[at] ?? 0) : 0;
    if (escaped === LETTER_U) {
      // Halves of surrogate pairs are for the parser's reader, too: the other half may be in the next event.
      if (!/^(?!d[89a-f])[\da-f]{4}$/i.test(bytes.toString('latin1', at + 1, Math.min(at + 5, end)))) return false;
      at += 4;
    } else if (!ESCAPED.has(escaped)) return false;
  }
  return ascii || isUtf8(bytes.subarray(start, end));
}

// Loops, because a call of `compare` or `copy` reads objects that these do not, and some hundred bytes are not worth it.

function sameBytes(one: Buffer, at: number, other: Buffer, otherAt: number, length: number): boolean {
  for (let offset = 0; offset < length; offset += 1) if (one[at + offset] !== other[otherAt + offset]) return false;
  return true;
}

function copyBytes(from: Buffer, start: number, end: number, to: Buffer, at: number): void {
  for (let offset = start; offset < end; offset += 1) to[at + offset - start] = from[offset] ?? 0;
}
