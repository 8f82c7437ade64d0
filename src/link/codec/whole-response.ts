/**
 * WHOLE: HEAD, body and END of a short JSON response in one frame. What the three say in JSON is a head of fixed length here
 * (docs/internals/link-protocol.md#whole); only the usual answer has one, every other goes as three frames.
 */
import { LinkProtocolError } from '../link-errors.js';
import type { EndMessage, HeadMessage, UsageReport } from '../messages.js';
import { MAX_WHOLE_BODY_BYTES } from './frame-types.js';

/** `flags u8 | first_event_ms | total_ms | input_tokens | output_tokens | cached_tokens | reasoning_tokens`, each u32 */
export const WHOLE_HEAD_BYTES = 25;

const NATIVE = 1;
const HAS_USAGE = 2;
const HAS_CACHED = 4;
const HAS_REASONING = 8;
const HAS_FIRST_EVENT = 16;
const SOURCE_SHIFT = 5;
const ALL_FLAGS = 127;
const MAX_U32 = 0xffff_ffff;
/** Their indexes are on the wire. */
const sources = ['engine', 'counted', 'estimated'] as const;

export interface WholeResponse {
  readonly head: HeadMessage;
  /** A view of the frame. */
  readonly body: Buffer;
  readonly end: EndMessage;
}

/** @returns undefined where WHOLE has no place for what they say, such as names of dropped fields */
export function encodeWholeHead({ translation }: HeadMessage, end: EndMessage): Buffer | undefined {
  const { outcome, failure, usage, timings, dropped } = end;
  if (outcome !== 'completed' || failure !== null || dropped.length > 0) return undefined;
  if (translation == null || translation.dropped.length > 0) return undefined;
  if (translation.changed !== undefined) return undefined;
  let flags = translation.native ? NATIVE : 0;
  if (timings.first_event_ms !== null) flags |= HAS_FIRST_EVENT;
  if (usage !== null) {
    flags |= HAS_USAGE | (sources.indexOf(usage.source) << SOURCE_SHIFT);
    if (usage.cached_tokens !== null) flags |= HAS_CACHED;
    if (usage.reasoning_tokens !== null) flags |= HAS_REASONING;
  }
  const head = Buffer.allocUnsafe(WHOLE_HEAD_BYTES);
  head[0] = flags;
  const fits =
    writeCount(head, 1, timings.first_event_ms) &&
    writeCount(head, 5, timings.total_ms) &&
    writeCount(head, 9, usage?.input_tokens ?? 0) &&
    writeCount(head, 13, usage?.output_tokens ?? 0) &&
    writeCount(head, 17, usage?.cached_tokens ?? 0) &&
    writeCount(head, 21, usage?.reasoning_tokens ?? 0);
  return fits ? head : undefined;
}

/** @throws LinkProtocolError for a payload that no sender of this version writes */
export function decodeWhole(payload: Buffer): WholeResponse {
  const flags = payload[0] ?? 0;
  const body = payload.subarray(WHOLE_HEAD_BYTES);
  if (body.length === 0 || flags > ALL_FLAGS) throw new LinkProtocolError('malformed WHOLE');
  if (body.length > MAX_WHOLE_BODY_BYTES) throw new LinkProtocolError('WHOLE over 16 KiB');
  const firstEventMs = readCount(payload, 1, (flags & HAS_FIRST_EVENT) !== 0);
  return {
    head: {
      status: 200,
      content_type: 'application/json',
      content_length: body.length,
      translation: { native: (flags & NATIVE) !== 0, dropped: [] },
    },
    body,
    end: {
      outcome: 'completed',
      failure: null,
      usage: decodeUsage(payload, flags),
      timings: { first_event_ms: firstEventMs, total_ms: payload.readUInt32BE(5) },
      dropped: [],
    },
  };
}

/** Size of the body in a payload that was not decoded. */
export const wholeBodyBytes = (payload: Buffer): number => Math.max(0, payload.length - WHOLE_HEAD_BYTES);

function decodeUsage(payload: Buffer, flags: number): UsageReport | null {
  const known = (flags & HAS_USAGE) !== 0;
  const source = sources[flags >> SOURCE_SHIFT];
  if (source === undefined) throw new LinkProtocolError('malformed WHOLE');
  if (!known && (flags & ~(NATIVE | HAS_FIRST_EVENT)) !== 0) throw new LinkProtocolError('malformed WHOLE');
  const input = readCount(payload, 9, known);
  const output = readCount(payload, 13, known);
  const cached = readCount(payload, 17, (flags & HAS_CACHED) !== 0);
  const reasoning = readCount(payload, 21, (flags & HAS_REASONING) !== 0);
  if (input === null || output === null) return null;
  return { input_tokens: input, output_tokens: output, cached_tokens: cached, reasoning_tokens: reasoning, source };
}

/** @returns false when it is no u32 */
function writeCount(head: Buffer, offset: number, count: number | null): boolean {
  const value = count ?? 0;
  if (!Number.isInteger(value) || value < 0 || value > MAX_U32) return false;
  head.writeUInt32BE(value, offset);
  return true;
}

/** null where it is not known; its place is then zero. */
function readCount(payload: Buffer, offset: number, known: boolean): number | null {
  const value = payload.readUInt32BE(offset);
  if (known) return value;
  if (value !== 0) throw new LinkProtocolError('malformed WHOLE');
  return null;
}
