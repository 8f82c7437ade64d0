/**
 * The challenge that a node signs (docs/reference/security.md#nodes). Nothing is stored when one is given out: the server recognises its
 * own by a MAC.
 * `version u8 | expires u64 (Unix ms) | 16 random bytes | HMAC-SHA-256`. 57 bytes, so that base64url has exactly one spelling of it.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../../kernel/clock.js';

const VERSION = 1;
const RANDOM_BYTES = 16;
const SIGNED_BYTES = 1 + 8 + RANDOM_BYTES;
const TEXT = /^[A-Za-z0-9_-]{76}$/;

export type NonceVerdict = 'valid' | 'expired' | 'forged';

export class LinkNonces {
  private readonly key: Buffer;

  /** @param secret `FERRY_SECRET`, the same on every replica. */
  constructor(
    secret: string,
    readonly lifetimeMs: number,
    private readonly clock: Clock,
  ) {
    // A key of its own, so that no other use of the secret can be made to sign a nonce.
    this.key = createHmac('sha256', secret).update('ferry/link-nonce/v1').digest();
  }

  issue(): string {
    const signed = Buffer.alloc(SIGNED_BYTES);
    signed.writeUInt8(VERSION, 0);
    signed.writeBigUInt64BE(BigInt(this.clock.wallMs() + this.lifetimeMs), 1);
    randomBytes(RANDOM_BYTES).copy(signed, 9);
    return Buffer.concat([signed, this.mac(signed)]).toString('base64url');
  }

  /** Only the server's own clock counts, so a node with a wrong clock can still connect. */
  verify(nonce: string): NonceVerdict {
    if (!TEXT.test(nonce)) return 'forged';
    const bytes = Buffer.from(nonce, 'base64url');
    const signed = bytes.subarray(0, SIGNED_BYTES);
    if (!timingSafeEqual(this.mac(signed), bytes.subarray(SIGNED_BYTES))) return 'forged';
    if (signed.readUInt8(0) !== VERSION) return 'forged';
    return signed.readBigUInt64BE(1) > BigInt(this.clock.wallMs()) ? 'valid' : 'expired';
  }

  private mac(signed: Uint8Array): Buffer {
    return createHmac('sha256', this.key).update(signed).digest();
  }
}
