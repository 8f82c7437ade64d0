import { createParser, type EventSourceMessage, type ParseError } from 'eventsource-parser';
import { isJsonObject, parseJson } from '../../../kernel/json-object.js';
import type { EngineFailure, EngineObject, RepeatedEvents } from '../engine.js';
import { ChoiceWatch } from './chat-chunks.js';
import { engineError, failureInAnswer } from './failures.js';
import { plainError, readable, parseEngineError } from './error-parser.js';
import { TextTemplate } from './text-template.js';

/** Limit of an event, which may contain an image (docs/reference/link.md#event-boundaries). */
export const MAX_EVENT_CHARACTERS = 16 * 1024 * 1024;

const LINE_FEED = 0x0a;
/** Never added to. */
const NONE: EngineObject[] = [];

/**
 * Incremental parser of an engine's event stream. The chunks do not depend on how the bytes are split.
 */
export class ChunkReader {
  private readonly decoder = new TextDecoder();
  private readonly watch = new ChoiceWatch();
  private readonly template = new TextTemplate();
  /** Nothing of an event has been received yet. */
  private betweenEvents = false;
  /**
   * Made for each call: one that waited for the next piece would be old for the collector by then, and all chunks put into it would stay
   * in memory until the next collection of old objects.
   */
  private batch: EngineObject[] = NONE;
  private ended = false;
  private failed: EngineFailure | undefined;

  private readonly parser = createParser({
    maxBufferSize: MAX_EVENT_CHARACTERS,
    onEvent: (event) => {
      this.takeEvent(event);
    },
    onError: (error) => {
      this.takeOddLine(error);
    },
  });

  /** `[DONE]` was received; the rest is ignored. */
  get done(): boolean {
    return this.ended;
  }

  /** Set once the stream has failed. Chunks before the failure are still returned. */
  get failure(): EngineFailure | undefined {
    return this.failed;
  }

  /** The chunks that these bytes complete, in order. */
  feed(bytes: Uint8Array): readonly EngineObject[] {
    this.batch = [];
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

  /** What to send for these bytes, if they are one event that differs from an earlier one in its text only; otherwise they are to be fed. */
  repeated(bytes: Buffer, events: RepeatedEvents): Buffer | undefined {
    return this.betweenEvents && !this.ended && this.failed === undefined
      ? this.template.match(bytes, events)
      : undefined;
  }

  /** The engine closed the stream: returns an event without its blank line, and fails if there was no `finish_reason`. */
  end(): readonly EngineObject[] {
    this.batch = [];
    if (!this.ended) this.parse(`${this.decoder.decode()}\n\n`);
    if (this.failed === undefined && !this.watch.complete) {
      this.failed = engineError('The engine ended the stream before the response was complete.');
    }
    this.ended = true;
    return this.takeBatch();
  }

  private parse(text: string): void {
    // A failed parser throws when fed again.
    if (this.failed === undefined && !this.ended) this.parser.feed(text);
  }

  private takeBatch(): readonly EngineObject[] {
    const { batch } = this;
    this.batch = NONE;
    return batch;
  }

  private takeEvent({ data, event }: EventSourceMessage): void {
    if (this.ended || this.failed !== undefined || data === '') return;
    if (data === '[DONE]') {
      this.ended = true;
      return;
    }
    const value = parseJson(data);
    const error = parseEngineError(value);
    if (error !== undefined) {
      this.failed = failureInAnswer(error);
    } else if (event === 'error') {
      this.failed = engineError(readable(data) || 'The engine reported an error.');
    } else if (!isJsonObject(value)) {
      this.failed = engineError('The engine sent an event that is not a JSON object.');
    } else {
      this.takeChunk(value, data);
    }
  }

  private takeChunk(value: EngineObject, data: string): void {
    try {
      const chunk = this.watch.take(value);
      if (chunk === undefined) return;
      this.template.learn(data, chunk);
      this.batch.push(chunk);
    } catch (error) {
      this.failed = error as EngineFailure;
    }
  }

  /**
   * Lines that are no SSE field: old llama.cpp's `error: {…}`, or one line of bare JSON. Anything else is ignored, as the standard says.
   */
  private takeOddLine({ type, field, line, value }: ParseError): void {
    if (this.ended || this.failed !== undefined) return;
    if (type === 'max-buffer-size-exceeded') {
      this.failed = engineError(`The engine sent an event of more than ${MAX_EVENT_CHARACTERS} characters.`);
      return;
    }
    const error = parseEngineError(parseJson(line ?? ''));
    if (error !== undefined) this.failed = failureInAnswer(error);
    else if (field === 'error') {
      const reported = parseJson(value ?? '');
      this.failed = failureInAnswer(
        parseEngineError({ error: reported }) ?? parseEngineError({ error: value }) ?? UNEXPLAINED,
      );
    }
  }
}

const UNEXPLAINED = plainError('The engine reported an error.');
