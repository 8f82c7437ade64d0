/** JSON payloads, validated by the same schema when sent and when received. */
import { isUtf8 } from 'node:buffer';
import type { z } from 'zod';
import type { Frame } from './frame-codec.js';
import { MAX_FRAME_PAYLOAD_BYTES, frameName } from './frame-types.js';
import { LinkProtocolError } from '../link-errors.js';
import {
  endMessage,
  forwardedHeaders,
  headMessage,
  MAX_FORWARDED_HEADER_CHARACTERS,
  MAX_PUBLIC_MODEL_CHARACTERS,
  type EndMessage,
  type HeadMessage,
  type OpenMessage,
} from '../messages.js';
import { fastValidatedEnd, fastValidatedHead } from './fast-validation.js';
import { openText } from './open-text.js';

/** A message that the peer would refuse. It was not sent: the link is more valuable than one message. */
export class LinkMessageError extends Error {
  override readonly name = 'LinkMessageError';
}

/** @throws LinkMessageError when the schema refuses the message or its text is over the frame limit. */
export function encodeControl<Schema extends z.ZodType>(schema: Schema, message: z.input<Schema>): Buffer {
  const checked = schema.safeParse(message);
  if (!checked.success) throw new LinkMessageError(`unsendable link message: ${checked.error.message}`);
  return withinFrame(Buffer.from(JSON.stringify(checked.data)));
}

/**
 * OPEN, sent with every request. Only the two strings that a client controls are validated, at a tenth of the cost of the schema. A test
 * proves that both validations agree.
 * @throws LinkMessageError when the peer would refuse the message
 */
export function encodeOpen(message: OpenMessage): Buffer {
  const { public_model: model, headers } = message;
  const fits =
    model.length > 0 &&
    model.length <= MAX_PUBLIC_MODEL_CHARACTERS &&
    forwardedHeaders.every((name) => (headers[name]?.length ?? 0) <= MAX_FORWARDED_HEADER_CHARACTERS);
  if (!fits) throw new LinkMessageError('unsendable link message: a text of OPEN is out of bounds');
  return withinFrame(Buffer.from(openText(message)));
}

const asItIs = <Message>(message: Message): Message => message;

/** @param bounded what is sent of a HEAD that is not the usual one @throws LinkMessageError like {@link encodeControl} */
export function encodeHead(message: HeadMessage, bounded: (message: HeadMessage) => HeadMessage = asItIs): Buffer {
  const typical = fastValidatedHead(message);
  return typical === undefined ? encodeControl(headMessage, bounded(message)) : Buffer.from(JSON.stringify(typical));
}

/** @param bounded what is sent of an END that is not the usual one @throws LinkMessageError like {@link encodeControl} */
export function encodeEnd(message: EndMessage, bounded: (message: EndMessage) => EndMessage = asItIs): Buffer {
  const typical = fastValidatedEnd(message);
  return typical === undefined ? encodeControl(endMessage, bounded(message)) : Buffer.from(JSON.stringify(typical));
}

/** @throws LinkProtocolError for invalid UTF-8, JSON or shape. */
export function decodeControl<Schema extends z.ZodType>(schema: Schema, frame: Frame): z.output<Schema> {
  const name = frameName(frame.type);
  return checkedBy(schema, parseJson(frame.payload, name), name);
}

/** @throws LinkProtocolError like {@link decodeControl} */
export function decodeHead(frame: Frame): HeadMessage {
  const value = parseJson(frame.payload, 'HEAD');
  return fastValidatedHead(value) ?? checkedBy(headMessage, value, 'HEAD');
}

/** @throws LinkProtocolError like {@link decodeControl} */
export function decodeEnd(frame: Frame): EndMessage {
  const value = parseJson(frame.payload, 'END');
  return fastValidatedEnd(value) ?? checkedBy(endMessage, value, 'END');
}

function checkedBy<Schema extends z.ZodType>(schema: Schema, value: unknown, name: string): z.output<Schema> {
  const checked = schema.safeParse(value);
  if (!checked.success) throw new LinkProtocolError(`malformed ${name}`);
  return checked.data;
}

function withinFrame(payload: Buffer): Buffer {
  if (payload.length > MAX_FRAME_PAYLOAD_BYTES) throw new LinkMessageError('link message over 64 KiB');
  return payload;
}

function parseJson(payload: Buffer, name: string): unknown {
  if (!isUtf8(payload)) throw new LinkProtocolError(`${name} is not UTF-8`);
  try {
    return JSON.parse(payload.toString('utf8'));
  } catch {
    throw new LinkProtocolError(`${name} is not JSON`);
  }
}
