import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts stored answers, which may hold credentials that are shown once, so that a copy of the database alone does not reveal them.
 * AES-256-GCM with a key derived from the relay's secret, bound to the request.
 */
export class ResponseEncryption {
  private readonly key: Buffer;

  constructor(secret: string) {
    this.key = Buffer.from(hkdfSync('sha256', secret, '', 'ferry/idempotent-answer/v1', KEY_BYTES));
  }

  /** @param request identifies the request, such as the digest of its key */
  seal(response: string, request: Buffer): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce).setAAD(request);
    const sealed = Buffer.concat([cipher.update(response, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
  }

  /** Undefined when it was encrypted with another secret or for another request, or was modified. */
  open(sealed: Buffer, request: Buffer): string | undefined {
    const nonce = sealed.subarray(0, NONCE_BYTES);
    const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(request).setAuthTag(tag);
      return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString(
        'utf8',
      );
    } catch {
      return undefined;
    }
  }
}
