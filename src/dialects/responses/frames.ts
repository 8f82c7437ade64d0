/**
 * The truth that the relay tells when a responses stream has lost its node (docs/reference/stream-transport.md#errors-inside-a-stream).
 * Its signs of life are the comments of
 * `openai-frames.ts`: clients of this dialect refuse events that they do not know
 * (docs/reference/translation.md#chat-answer-to-a-response).
 */
import { isJsonObject, type JsonObject } from '../../kernel/json-object.js';
import type { FerryError } from '../../kernel/errors/ferry-error.js';
import { errorEventFields, responseError } from './failure.js';
import { DONE, formatEvent } from './from-chat/event-log.js';
import { requestEcho, responseResource } from './resource.js';

export interface LostStream {
  readonly error: FerryError;
  /** The public name of the model. */
  readonly model: string;
  /** The body of the request, where nothing came from the node yet; not needed, and not worth its memory, after that. */
  readonly request: JsonObject | null;
  /** The bytes that the stream began with: `response.created` is their first event. */
  readonly firstBytes: Uint8Array | null;
  /** The bytes that the stream went on with last: at least the end of its last event. */
  readonly lastBytes: Uint8Array | null;
  /** The id of a response whose node never told one. */
  readonly responseId: string;
  readonly nowUnixSeconds: number;
}

/**
 * `error`, `response.failed` and one `[DONE]`. The output is empty: what the client has, it has; what it lacks is not known here.
 * Nothing is believed of the node's bytes but what still makes a valid snapshot. A stream that had come to its end gets only what is
 * missing of it.
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
    // Nested too deeply to be written again, which only a hostile node sends.
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

/** Junk in the bytes becomes U+FFFD, and fails to parse where it matters. */
const textOf = (bytes: Uint8Array | null): string =>
  bytes === null ? '' : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');

const TERMINAL_EVENT = /(?:^|\n)event: (response\.(?:completed|incomplete|failed))\n(data: [^\n]*)\n\n$/;

/** The stream had said how it ended, and only `[DONE]` is missing. */
function isOver(text: string): boolean {
  const [, type, data = ''] = TERMINAL_EVENT.exec(text) ?? [];
  return type !== undefined && parsedData(data)?.['type'] === type;
}

const firstEventOf = (bytes: Uint8Array | null): JsonObject | undefined => {
  const [event = ''] = textOf(bytes).split('\n\n', 1);
  return parsedData(event);
};

/** Events of ours have the number at their end, where it is found even if their beginning was not kept. */
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
    const parsed: unknown = JSON.parse(data.slice('data: '.length));
    return isJsonObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
