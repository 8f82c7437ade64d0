/**
 * One message between two replicas (docs/internals/link-protocol.md#8-between-replicas): a header of 10 bytes, then the payload. Frames of
 * the link stay as they are.
 */
import { FRAME_HEADER_BYTES } from '../../../link/codec/frame-types.js';

/** NATS accepts 1 MiB by default. Smaller ones let the messages of other pairs through. */
export const MAX_HOP_MESSAGE_BYTES = 128 * 1024;
export const HOP_HEADER_BYTES = 10;
const LENGTH_OFFSET = 5;
const LENGTH_BYTES = 3;

/** `connect` begins a link, and only the replica that has the client sends it. */
const kinds = ['connect', 'frames', 'ping', 'pong', 'close'] as const;
export type HopMessageKind = (typeof kinds)[number];

/** `ingress`: has the client and ends the link as a relay does; `owner`: has the node and ends it as a node does. */
const sides = ['ingress', 'owner'] as const;
export type HopSide = (typeof sides)[number];

export interface HopMessage {
  readonly kind: HopMessageKind;
  /** The side of the sender. */
  readonly side: HopSide;
  /** Random number of the link, u32, chosen by its ingress. */
  readonly link: number;
  /** Counts the messages of one direction of the link, u32, from 0. */
  readonly sequence: number;
  readonly payload: Uint8Array;
}

export function encodeHopMessage({ kind, side, link, sequence, payload }: HopMessage): Buffer {
  const message = Buffer.allocUnsafe(HOP_HEADER_BYTES + payload.length);
  message[0] = kinds.indexOf(kind);
  message[1] = sides.indexOf(side);
  message.writeUInt32BE(link, 2);
  message.writeUInt32BE(sequence, 6);
  message.set(payload, HOP_HEADER_BYTES);
  return message;
}

/** @returns undefined for anything else */
export function decodeHopMessage(bytes: Uint8Array): HopMessage | undefined {
  if (bytes.length < HOP_HEADER_BYTES || bytes.length > MAX_HOP_MESSAGE_BYTES) return undefined;
  const message = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const kind = kinds[message.readUInt8(0)];
  const side = sides[message.readUInt8(1)];
  if (kind === undefined || side === undefined) return undefined;
  const payload = message.subarray(HOP_HEADER_BYTES);
  return { kind, side, link: message.readUInt32BE(2), sequence: message.readUInt32BE(6), payload };
}

/** Cuts a message of the link between two frames, where it is too long for one message of the hop. */
export function* hopPayloads(batch: Uint8Array): Iterable<Uint8Array> {
  const most = MAX_HOP_MESSAGE_BYTES - HOP_HEADER_BYTES;
  if (batch.length <= most) {
    yield batch;
    return;
  }
  const bytes = Buffer.from(batch.buffer, batch.byteOffset, batch.length);
  let from = 0;
  let at = 0;
  while (at < bytes.length) {
    const next = at + FRAME_HEADER_BYTES + bytes.readUIntBE(at + LENGTH_OFFSET, LENGTH_BYTES);
    if (next - from > most) {
      yield bytes.subarray(from, at);
      from = at;
    }
    at = next;
  }
  yield bytes.subarray(from);
}
