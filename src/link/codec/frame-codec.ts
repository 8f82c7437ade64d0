/** Frames to bytes and back: `stream u32 | type u8 | length u24 | payload`, big-endian (docs/reference/link.md#frames). */
import { LinkProtocolError } from '../link-errors.js';
import {
  FRAME_HEADER_BYTES,
  MAX_FRAME_PAYLOAD_BYTES,
  MAX_LINK_MESSAGE_BYTES,
  CONTROL_STREAM,
  frameName,
  isControlFrame,
  isFrameType,
  type FrameType,
} from './frame-types.js';

export interface Frame {
  readonly stream: number;
  readonly type: FrameType;
  /** A view into the WebSocket message: copy what outlives the call, or the whole message stays in memory. */
  readonly payload: Buffer;
}

/**
 * All frames of one WebSocket message, or none: a message that is malformed anywhere has no effect.
 * @throws LinkProtocolError for a cut frame, an unknown type, a wrong stream, or a size over the limits.
 */
export function decodeMessage(message: Buffer): Frame[] {
  if (message.length > MAX_LINK_MESSAGE_BYTES) throw new LinkProtocolError('message over 256 KiB');
  if (message.length === 0) throw new LinkProtocolError('empty message');
  const frames: Frame[] = [];
  for (let offset = 0; offset < message.length;) {
    if (message.length - offset < FRAME_HEADER_BYTES) throw new LinkProtocolError('cut frame header');
    const stream = message.readUInt32BE(offset);
    const type = message.readUInt8(offset + 4);
    const length = message.readUIntBE(offset + 5, 3);
    if (!isFrameType(type)) throw new LinkProtocolError('unknown frame type');
    if (length > MAX_FRAME_PAYLOAD_BYTES) throw new LinkProtocolError(`${frameName(type)} over 64 KiB`);
    if ((stream === CONTROL_STREAM) !== isControlFrame(type)) {
      throw new LinkProtocolError(`${frameName(type)} on a wrong stream`);
    }
    const start = offset + FRAME_HEADER_BYTES;
    offset = start + length;
    if (offset > message.length) throw new LinkProtocolError(`cut ${frameName(type)} payload`);
    frames.push({ stream, type, payload: message.subarray(start, offset) });
  }
  return frames;
}

/** Writes eight header bytes; `target` must have room for them. Answers where the payload begins. */
export function writeFrameHeader(
  target: Buffer,
  offset: number,
  stream: number,
  type: FrameType,
  payloadBytes: number,
): number {
  target.writeUInt32BE(stream, offset);
  // Type and length share one 32-bit word.
  target.writeUInt32BE(type * 0x1_00_00_00 + payloadBytes, offset + 4);
  return offset + FRAME_HEADER_BYTES;
}

/** One frame on its own, for tools and tests; sessions batch. */
export function encodeFrame(stream: number, type: FrameType, payload: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(FRAME_HEADER_BYTES + payload.length);
  frame.set(payload, writeFrameHeader(frame, 0, stream, type, payload.length));
  return frame;
}

/** A request body's piece: one flag byte, then its bytes. Only the last piece may be empty. */
export function decodeBody(payload: Buffer): { readonly last: boolean; readonly bytes: Buffer } {
  const flag = payload[0];
  if (flag !== 0 && flag !== 1) throw new LinkProtocolError('malformed BODY flag');
  if (flag === 0 && payload.length === 1) throw new LinkProtocolError('empty BODY');
  return { last: flag === 1, bytes: payload.subarray(1) };
}

const WINDOW_PAYLOAD_BYTES = 4;

/** Credit in bytes, 1 to 2^32 - 1. */
export function decodeWindow(payload: Buffer): number {
  if (payload.length !== WINDOW_PAYLOAD_BYTES) throw new LinkProtocolError('malformed WINDOW');
  const credit = payload.readUInt32BE(0);
  if (credit === 0) throw new LinkProtocolError('WINDOW without credit');
  return credit;
}

export function encodeWindow(credit: number): Buffer {
  const payload = Buffer.allocUnsafe(WINDOW_PAYLOAD_BYTES);
  payload.writeUInt32BE(credit, 0);
  return payload;
}
