/**
 * Frames that the relay writes when a responses stream has lost its node (docs/reference/stream-transport.md#errors-inside-a-stream).
 * Keep-alives are the comments of `openai-frames.ts`, because clients of this dialect refuse unknown events
 * (docs/reference/translation.md#chat-answer-to-a-response).
 */
import { parseExact } from '../../kernel/exact-json.js';
import { isJsonObject, type JsonObject } from '../../kernel/json-object.js';
import type { FerryError } from '../../kernel/errors/ferry-error.js';
import { errorEventFields, responseError } from './failure.js';
import { DONE, formatEvent } from './from-chat/event-log.js';
import { requestEcho, responseResource } from './resource.js';

export interface LostStream {
  readonly error: FerryError;
  /** The public name of the model. */
  readonly model: string;
  /** The body of the request, only until the first bytes of the node. */
  readonly request: JsonObject | null;
  /** The first bytes of the stream, which begin with `response.created`. */
  readonly firstBytes: Uint8Array | null;
  /** The last bytes of the stream: at least the end of its last event. */
  readonly lastBytes: Uint8Array | null;
  /** Id of a response whose node has not sent one. */
  readonly responseId: string;
  readonly nowUnixSeconds: number;
}

/**
 * `error`, `response.failed` and one `[DONE]`. The output is empty, because the relay does not keep it. Of the node's bytes only what makes
 * a valid snapshot is used. A stream that had reached its end gets only the missing rest.
 */
export function responsesTerminalFrames(lost: LostStream): Uint8Array {
  const last = textOf(lost.lastBytes ?? lost.firstBytes);
  if (last.endsWith(DONE)) return Buffer.alloc(0);
  if (isOver(last)) return Buffer.from(DONE);
  const created = firstEventOf(lost.firstBytes);
  const sequence = lastSequenceIn(last) ?? sequenceOf(created) ?? -1;
  return Buffer.from(
    formatEvent('error', errorEventFields(lost.error), sequence + 1) +
      formatFailed(lost, created?.['response'], sequence + 2) +
      DONE,
  );
}

function formatFailed(lost: LostStream, snapshot: unknown, sequence: number): string {
  const known = isJsonObject(snapshot) ? snapshot : {};
  try {
    return failedEvent(lost, known, lost.request ?? known, sequence);
  } catch (error) {
    // Nested too deeply to be serialised, which only a hostile node sends.
    if (!(error instanceof RangeError)) throw error;
    return failedEvent(lost, {}, {}, sequence);
  }
}

function failedEvent(lost: LostStream, known: JsonObject, request: JsonObject, sequence: number): string {
  const { id, created_at: createdAt } = known;
  const response = responseResource(requestEcho(request), {
    id: typeof id === 'string' && RESPONSE_ID.test(id) ? id : lost.responseId,
    created_at: typeof createdAt === 'number' && Number.isSafeInteger(createdAt) ? createdAt : lost.nowUnixSeconds,
    completed_at: null,
    status: 'failed',
    incomplete_details: null,
    model: lost.model,
    output: [],
    error: responseError(lost.error),
    usage: null,
  });
  return formatEvent('response.failed', { response }, sequence);
}

const RESPONSE_ID = /^resp_[\w.-]{1,300}$/;

/** Invalid bytes become U+FFFD, and fail to parse where they matter. */
const textOf = (bytes: Uint8Array | null): string =>
  bytes === null ? '' : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');

const TERMINAL_EVENT = /(?:^|\n)event: (response\.(?:completed|incomplete|failed))\n(data: [^\n]*)\n\n$/;

/** Whether the terminal event was sent, so that only `[DONE]` is missing. */
function isOver(text: string): boolean {
  const [, type, data = ''] = TERMINAL_EVENT.exec(text) ?? [];
  return type !== undefined && parsedData(data)?.['type'] === type;
}

const firstEventOf = (bytes: Uint8Array | null): JsonObject | undefined => {
  const [event = ''] = textOf(bytes).split('\n\n', 1);
  return parsedData(event);
};

/** Nodes write the sequence number at the end of events, so that it is found even if their beginning was not kept. */
const NUMBER_AT_END = /"sequence_number":(\d{1,15})\}\n\n$/;

function lastSequenceIn(text: string): number | undefined {
  const atEnd = NUMBER_AT_END.exec(text.slice(-64))?.[1];
  if (atEnd !== undefined) return Number(atEnd);
  return text
    .split('\n\n')
    .map(parsedData)
    .map(sequenceOf)
    .findLast((sequence) => sequence !== undefined);
}

function sequenceOf(event: JsonObject | undefined): number | undefined {
  const sequence = event?.['sequence_number'];
  return typeof sequence === 'number' && Number.isSafeInteger(sequence) && sequence >= 0 ? sequence : undefined;
}

function parsedData(event: string): JsonObject | undefined {
  const data = event.split('\n').find((line) => line.startsWith('data: '));
  if (data === undefined) return undefined;
  try {
    const parsed = parseExact(data.slice('data: '.length));
    return isJsonObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
