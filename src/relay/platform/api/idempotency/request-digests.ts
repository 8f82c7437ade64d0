import { createHmac, hkdfSync } from 'node:crypto';
import type { Principal } from '../../access/principal.js';

/** Recognises a repeated request without storing its content. */
export interface RequestDigests {
  readonly key: Buffer;
  readonly parameters: Buffer;
}

export interface IdempotentParameters {
  readonly method: string;
  /** Includes the query. */
  readonly url: string;
  readonly body: unknown;
}

const KEY_BYTES = 32;

/** Keyed with the relay's secret: a body may hold a password, which could be guessed from a plain hash. */
export class RequestDigester {
  private readonly key: Buffer;

  constructor(secret: string) {
    this.key = Buffer.from(hkdfSync('sha256', secret, '', 'ferry/idempotency-digest/v1', KEY_BYTES));
  }

  /**
   * A key is scoped to the user, or to the credential where there is none: its response may hold data that others of the account must not
   * see.
   */
  digests(
    { userId, credential }: Pick<Principal, 'userId' | 'credential'>,
    key: string,
    { method, url, body }: IdempotentParameters,
  ): RequestDigests {
    return {
      key: this.digest('key', userId ?? credential.id, key),
      parameters: this.digest('parameters', method, url, canonicalJson(body)),
    };
  }

  /** Length prefixes distinguish `a` + `bc` from `ab` + `c`. */
  private digest(...parts: readonly string[]): Buffer {
    const hmac = createHmac('sha256', this.key);
    for (const part of parts) hmac.update(`${String(Buffer.byteLength(part))}:${part}`);
    return hmac.digest();
  }
}

/** JSON that does not depend on the order in which fields were written. The body's depth was limited when it was parsed. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}
