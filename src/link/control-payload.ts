/** JSON payloads, checked by the same schema on both ways: what we send is what the other side will accept. */
import { isUtf8 } from 'node:buffer';
import type { z } from 'zod';
import type { Frame } from './frame-codec.js';
import { MAX_FRAME_PAYLOAD_BYTES, frameName } from './frame-types.js';
import { LinkProtocolError } from './link-errors.js';

/** A message that the peer would refuse. It was not sent: the link is more valuable than one message. */
export class LinkMessageError extends Error {
  override readonly name = 'LinkMessageError';
}

/** @throws LinkMessageError when the schema refuses the message or its text is over the frame limit. */
export function encodeControl<Schema extends z.ZodType>(schema: Schema, message: z.input<Schema>): Buffer {
  const checked = schema.safeParse(message);
  if (!checked.success) throw new LinkMessageError(`unsendable link message: ${checked.error.message}`);
  const payload = Buffer.from(JSON.stringify(checked.data));
  if (payload.length > MAX_FRAME_PAYLOAD_BYTES) throw new LinkMessageError('link message over 64 KiB');
  return payload;
}

/** @throws LinkProtocolError for invalid UTF-8, JSON or shape. */
export function decodeControl<Schema extends z.ZodType>(schema: Schema, frame: Frame): z.output<Schema> {
  const name = frameName(frame.type);
  const checked = schema.safeParse(parseJson(frame.payload, name));
  if (!checked.success) throw new LinkProtocolError(`malformed ${name}`);
  return checked.data;
}

function parseJson(payload: Buffer, name: string): unknown {
  if (!isUtf8(payload)) throw new LinkProtocolError(`${name} is not UTF-8`);
  try {
    return JSON.parse(payload.toString('utf8'));
  } catch {
    throw new LinkProtocolError(`${name} is not JSON`);
  }
}
