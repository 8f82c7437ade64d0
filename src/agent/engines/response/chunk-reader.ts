import { createParser, type EventSourceMessage, type ParseError } from 'eventsource-parser';
import { stringifyExact } from '../../../kernel/exact-json.js';
import { isJsonObject, parseJson } from '../../../kernel/json-object.js';
import type { EngineFailure, EngineObject, RepeatedEvents } from '../engine.js';
import { plainError, readable, parseEngineError } from '../failures/error-parser.js';
import { engineError, failureInResponse } from '../failures/failures.js';
import type { AnsweredRequest } from './answered-request.js';
import { chunksOf } from './response-forms.js';
import { ChunkNormaliser } from './chunk-normaliser.js';
import { BareObjects, isUnusual, parseEngineJson } from './engine-json.js';
import { TextTemplate } from './text-template.js';
import { normaliseResponse } from './whole-normaliser.js';

/** Limit of an event, which may contain an image (docs/reference/link.md#event-boundaries). */
export const MAX_EVENT_CHARACTERS = 16 * 1024 * 1024;

const LINE_FEED = 0x0a;
const OPEN_BRACE = 0x7b;
const DONE = /^\[done\]$/i;
/** Never added to. */
const NONE: EngineObject[] = [];

/**
 * Incremental parser of an engine's streamed response: an event stream, or a document of JSON from an engine that does not stream. The chunks
 * do not depend on how the bytes are split.
 */
export class ChunkReader {
  private readonly decoder = new TextDecoder();
  private readonly normaliser: ChunkNormaliser;
  private readonly template = new TextTemplate();
  /** Nothing of an event has been received yet. */
  private betweenEvents = false;
  /**
   * Made for each call: one that waited for the next piece would be old for the collector by then, and all chunks put into it would stay
   * in memory until the next collection of old objects.
   */
  private batch: EngineObject[] = NONE;
  /** Something came that says no more than that the engine is alive. */
  private beat = false;
  private ended = false;
  private failed: EngineFailure | undefined;
  /** Undefined until the first character that is no white space. */
  private form: 'events' | 'document' | undefined;
  /** Objects of a document. */
  private objects: BareObjects | undefined;
  /** The first object of a document: the whole response, unless another one follows. */
  private first: string | undefined;
  private severalObjects = false;

  private readonly parser = createParser({
    maxBufferSize: MAX_EVENT_CHARACTERS,
    onEvent: (event) => {
      this.takeEvent(event);
    },
    onError: (error) => {
      this.takeUnknownLine(error);
    },
    onComment: (comment) => {
      this.beat = true;
      if (this.request.promptTokens === true) this.takeProgress(comment);
    },
  });

  constructor(private readonly request: AnsweredRequest) {
    this.normaliser = new ChunkNormaliser(request);
  }

  /** `[DONE]` was received; the rest is ignored. */
  get done(): boolean {
    return this.ended;
  }

  /** Whether a heartbeat was among the last bytes. */
  get alive(): boolean {
    return this.beat;
  }

  /** Set once the stream has failed. Chunks before the failure are still returned. */
  get failure(): EngineFailure | undefined {
    return this.failed;
  }

  /** The chunks that these bytes complete, in order. */
  feed(bytes: Uint8Array): readonly EngineObject[] {
    this.batch = [];
    this.beat = false;
    this.betweenEvents = bytes.at(-1) === LINE_FEED && bytes.at(-2) === LINE_FEED;
    const lineEnd = bytes.at(-1) === LINE_FEED ? bytes.length : bytes.lastIndexOf(LINE_FEED) + 1;
    if (lineEnd === 0 || lineEnd === bytes.length) {
      this.parse(this.decoder.decode(bytes, { stream: true }));
    } else {
      // The parser keeps the incomplete line: as a copy, because a substring keeps the whole text in memory.
      this.parse(this.decoder.decode(bytes.subarray(0, lineEnd), { stream: true }));
      this.parse(this.decoder.decode(bytes.subarray(lineEnd), { stream: true }));
    }
    return this.takeBatch();
  }

  /** Returns the bytes to send if they are one event that differs from an earlier one in its text only; feed other bytes. */
  repeated(bytes: Buffer, events: RepeatedEvents): Buffer | undefined {
    return this.betweenEvents && !this.ended && this.failed === undefined && !this.normaliser.holding
      ? this.template.match(bytes, events)
      : undefined;
  }

  /** The engine closed the stream: returns an event without its blank line, and fails if there was no `finish_reason`. */
  end(): readonly EngineObject[] {
    this.batch = [];
    if (!this.ended) this.parse(`${this.decoder.decode()}\n\n`);
    if (this.first !== undefined) this.takeResponse(this.first);
    if (!this.ended) this.close();
    if (this.failed === undefined && !this.normaliser.complete) {
      this.fail(engineError('The engine ended the stream before the response was complete.'));
    }
    return this.takeBatch();
  }

  private parse(text: string): void {
    // A failed parser throws when fed again.
    if (this.failed !== undefined || this.ended) return;
    if (this.form === undefined) {
      const begins = /\S/.exec(text)?.[0];
      if (begins === undefined) return;
      this.form = begins === '{' || begins === '[' ? 'document' : 'events';
    }
    if (this.form === 'events') this.parser.feed(text);
    else this.takeDocument(text);
  }

  private takeDocument(text: string): void {
    this.objects ??= new BareObjects();
    for (const object of this.objects.push(text)) {
      const isFirst = !this.severalObjects && this.first === undefined;
      if (isFirst && parseEngineError(parseJson(object)) === undefined) {
        this.first = object;
        continue;
      }
      this.severalObjects = true;
      if (this.first !== undefined) this.takeJson(this.first);
      this.first = undefined;
      this.takeJson(object);
    }
    if (this.objects.waitingCharacters > MAX_EVENT_CHARACTERS) {
      this.fail(engineError(`The engine sent a document of more than ${MAX_EVENT_CHARACTERS} characters.`));
    }
  }

  private takeBatch(): readonly EngineObject[] {
    const { batch } = this;
    this.batch = NONE;
    return batch;
  }

  private takeEvent({ data, event }: EventSourceMessage): void {
    if (this.ended || this.failed !== undefined) return;
    const first = data.charCodeAt(0);
    if (first === OPEN_BRACE && event === undefined) {
      this.takeJson(data);
      return;
    }
    // Wrapped twice by a proxy.
    const text = data.trim().replace(/^(?:data:\s*)+/, '');
    if (DONE.test(text)) this.close();
    else if (event === 'error') {
      const error = parseEngineError(parseJson(text));
      this.fail(
        error === undefined ? engineError(readable(text) || 'The engine reported an error.') : failureInResponse(error),
      );
    } else if (text.startsWith('{') || text.startsWith('[')) this.takeJson(text);
    // Anything else cannot be a chunk.
    else this.beat = true;
  }

  private takeJson(data: string): void {
    if (this.ended || this.failed !== undefined) return;
    const unusual = isUnusual(data);
    const value = unusual ? parseEngineJson(data) : parseJson(data);
    const error = parseEngineError(value);
    if (error !== undefined) this.fail(failureInResponse(error));
    else if (isJsonObject(value)) this.takeChunk(value, data, unusual);
    else if (Array.isArray(value) && value.every(isJsonObject)) this.takeList(value);
    else if (value !== undefined || !this.takeLines(data))
      this.fail(engineError('The engine sent an event that is not a JSON object.'));
  }

  private takeList(chunks: readonly EngineObject[]): void {
    this.beat = true;
    for (const chunk of chunks) this.takeJson(stringifyExact(chunk));
  }

  /** Events without a blank line between them arrive as one. @returns whether each line is a whole one */
  private takeLines(data: string): boolean {
    const lines = data.split('\n').map((line) => line.trim());
    const reported = lines.filter((line) => line !== '');
    if (reported.length < 2 || !reported.every((line) => DONE.test(line) || isJsonObject(parseJson(line))))
      return false;
    for (const line of reported) this.takeEvent({ data: line, event: undefined, id: undefined });
    return true;
  }

  private takeChunk(value: EngineObject, data: string, mayBeHalved: boolean): void {
    try {
      if (!Array.isArray(value['choices'])) this.beat = true;
      if (this.normaliser.take(value, mayBeHalved, this.batch)) this.template.learn(data, value);
    } catch (error) {
      this.fail(error as EngineFailure);
    }
  }

  /** mlx-lm, in front of the first chunk: tokens of the prompt that it has read and that it has to read, without those that it had kept. */
  private takeProgress(comment: string): void {
    const { processed, total } =
      /^\s*keepalive (?<processed>\d{1,9})\/(?<total>\d{1,9})\s*$/.exec(comment)?.groups ?? {};
    if (processed === undefined || total === undefined || this.ended || this.failed !== undefined) return;
    this.batch.push({ choices: [], prompt_progress: { total: Number(total), processed: Number(processed) } });
  }

  /** The document was one object: an engine that does not stream. */
  private takeResponse(data: string): void {
    this.first = undefined;
    const value = parseEngineJson(data);
    if (!isJsonObject(value)) return;
    try {
      const response = normaliseResponse(value, this.request, isUnusual(data));
      for (const chunk of chunksOf(response, this.request.route)) this.normaliser.take(chunk, false, this.batch);
    } catch (error) {
      this.fail(error as EngineFailure);
    }
  }

  /** `[DONE]`, or the end of the connection. */
  private close(): void {
    this.ended = true;
    try {
      if (this.failed === undefined && this.normaliser.complete) this.normaliser.end(this.batch);
      else if (this.failed === undefined) this.normaliser.abandon(this.batch);
    } catch (error) {
      this.fail(error as EngineFailure);
    }
  }

  private fail(failure: EngineFailure): void {
    this.normaliser.abandon(this.batch);
    this.failed = failure;
  }

  /**
   * Lines that are no SSE field: old llama.cpp's `error: {…}`, a chunk or a response without `data:`, or a byte order mark in front of it.
   * Anything else is ignored, as the standard says.
   */
  private takeUnknownLine({ type, field, line, value }: ParseError): void {
    if (this.ended || this.failed !== undefined) return;
    if (type === 'max-buffer-size-exceeded') {
      this.fail(engineError(`The engine sent an event of more than ${MAX_EVENT_CHARACTERS} characters.`));
      return;
    }
    const error = parseEngineError(parseJson(line ?? ''));
    if (error !== undefined) this.fail(failureInResponse(error));
    else if (field === 'error') {
      const reported = parseJson(value ?? '');
      this.fail(
        failureInResponse(parseEngineError({ error: reported }) ?? parseEngineError({ error: value }) ?? UNEXPLAINED),
      );
    } else this.takeBareLine((line ?? '').trim());
  }

  /** Trimmed, which takes away marks of the byte order as well. */
  private takeBareLine(line: string): void {
    if (line.startsWith('data:')) this.takeEvent({ data: line, event: undefined, id: undefined });
    else if (hasChoices(line)) this.takeJson(line);
  }
}

function hasChoices(text: string): boolean {
  const value = text.startsWith('{') ? parseJson(text) : undefined;
  return isJsonObject(value) && 'choices' in value;
}

const UNEXPLAINED = plainError('The engine reported an error.');
