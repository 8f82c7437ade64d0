/**
 * Engines repeat a whole chunk for every token and change only its text. Such an event is recognised by comparing its bytes with an event
 * that was parsed before: whatever was found out about that one holds for this one too, so it needs no parsing.
 */
import { isUtf8 } from 'node:buffer';
import { findMembers, type JsonMember } from '../../../kernel/json-members.js';
import { isJsonObject } from '../../../kernel/json-object.js';
import { TEXT_PLACEHOLDER, type EngineObject, type RepeatedChunk } from '../engine.js';

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
  /** The whole event; memory of its own, as it may stay for the length of the stream. */
  readonly event: Buffer;
  /** Of its text, without the quotes. */
  readonly start: number;
  readonly end: number;
  readonly like: EngineObject;
}

export class TextTemplate {
  private template: Template | undefined;
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
    if (this.template !== undefined) {
      this.pauseChunks = this.matched ? 0 : Math.min(this.pauseChunks * 2 + 1, MAX_PAUSE_CHUNKS);
      this.chunksToSkip = this.pauseChunks;
    }
    this.template = next;
    this.matched = false;
  }

  /** @param bytes received between two events. @returns undefined unless they are one whole event like the one learned */
  match(bytes: Buffer): RepeatedChunk | undefined {
    const { template } = this;
    if (template === undefined || bytes.length > MAX_EVENT_BYTES) return undefined;
    const { event, start, end, like } = template;
    const textEnd = bytes.length - (event.length - end);
    // Without a text it may be no output: that is for the parser's reader to say.
    if (textEnd <= start) return undefined;
    if (event.compare(bytes, 0, start, 0, start) !== 0 || event.compare(bytes, textEnd, bytes.length, end) !== 0)
      return undefined;
    const text = bytes.subarray(start, textEnd);
    if (!isJsonText(text)) return undefined;
    this.matched = true;
    return { like, text };
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
  const event = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  event.write(text);
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
function isJsonText(bytes: Buffer): boolean {
  let ascii = true;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x20 || byte === QUOTE) return false;
    if (byte >= 0x80) ascii = false;
    if (byte !== BACKSLASH) continue;
    at += 1;
    const escaped = bytes[at] ?? 0;
    if (escaped === LETTER_U) {
      if (!/^[\da-f]{4}$/i.test(bytes.toString('latin1', at + 1, at + 5))) return false;
      at += 4;
    } else if (!ESCAPED.has(escaped)) return false;
  }
  return ascii || isUtf8(bytes);
}
