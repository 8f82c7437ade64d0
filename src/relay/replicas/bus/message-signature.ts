import { createHmac, createSecretKey, hkdfSync, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { ReplicaId } from '../../../kernel/ids.js';

/**
 * A signed message: scope (1 byte), sequence of its sender (6 bytes), the first 16 bytes of HMAC-SHA256, then the content. No JSON and no hop
 * message begins like that, so a relay that knows no signatures drops it as invalid.
 */
const scopes = { all: 0xf1, one: 0xf2 } as const;
const SEQUENCE_OFFSET = 1;
const SEQUENCE_BYTES = 6;
const SIGNATURE_OFFSET = SEQUENCE_OFFSET + SEQUENCE_BYTES;
const SIGNATURE_BYTES = 16;
export const SIGNED_HEADER_BYTES = SIGNATURE_OFFSET + SIGNATURE_BYTES;

const KEY_BYTES = 32;

/** The purpose of a signature, apart from the content, so that no message can be taken for another one. */
export interface SignedAs {
  /** A `reply` has the sequence of its request, whose sender is the receiver. */
  readonly kind: 'message' | 'request' | 'reply';
  readonly topic: string;
  readonly from: ReplicaId;
  /** Set for a message to one replica. */
  readonly to: ReplicaId;
}

export interface OpenedMessage {
  readonly sequence: number;
  readonly bytes: Uint8Array;
}

/** Signs and checks what replicas tell each other, with a key that only who has `FERRY_SECRET` knows. */
export class MessageSignature {
  private readonly key: KeyObject;

  constructor(secret: string) {
    this.key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', 'ferry/bus/v1', KEY_BYTES)));
  }

  /** @param as without `to`: for all others */
  sign(
    as: Omit<SignedAs, 'to'> & { readonly to?: ReplicaId | undefined },
    sequence: number,
    bytes: Uint8Array,
  ): Buffer {
    const message = Buffer.allocUnsafe(SIGNED_HEADER_BYTES + bytes.length);
    message[0] = as.to === undefined ? scopes.all : scopes.one;
    message.writeUIntBE(sequence, SEQUENCE_OFFSET, SEQUENCE_BYTES);
    message.set(bytes, SIGNED_HEADER_BYTES);
    this.mac(as, as.to ?? '', message).copy(message, SIGNATURE_OFFSET, 0, SIGNATURE_BYTES);
    return message;
  }

  /** @param as `to`: this replica */
  open(as: SignedAs, message: Uint8Array): OpenedMessage | 'unsigned' | 'forged' {
    const [scope] = message;
    if (message.length < SIGNED_HEADER_BYTES || (scope !== scopes.all && scope !== scopes.one)) return 'unsigned';
    const buffer = Buffer.from(message.buffer, message.byteOffset, message.length);
    const mac = this.mac(as, scope === scopes.all ? '' : as.to, buffer);
    const signature = buffer.subarray(SIGNATURE_OFFSET, SIGNED_HEADER_BYTES);
    if (!timingSafeEqual(mac.subarray(0, SIGNATURE_BYTES), signature)) return 'forged';
    const sequence = buffer.readUIntBE(SEQUENCE_OFFSET, SEQUENCE_BYTES);
    return { sequence, bytes: buffer.subarray(SIGNED_HEADER_BYTES) };
  }

  /** Over everything but the signature itself. No part before the content has a line feed. */
  private mac({ kind, topic, from }: Omit<SignedAs, 'to'>, to: string, message: Buffer): Buffer {
    return createHmac('sha256', this.key)
      .update(`${kind}\n${topic}\n${from}\n${to}\n`)
      .update(message.subarray(0, SIGNATURE_OFFSET))
      .update(message.subarray(SIGNED_HEADER_BYTES))
      .digest();
  }
}
