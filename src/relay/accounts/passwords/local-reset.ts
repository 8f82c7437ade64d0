import { createHmac, timingSafeEqual } from 'node:crypto';

/** A new password for somebody, by whoever can read the relay's own secret: that is whoever has its computer. */
export interface LocalReset {
  readonly email: string;
  /** PHC string of argon2id: the password itself is never sent. */
  readonly passwordHash: string;
  /** null: the password was chosen, not made. */
  readonly lifetimeMs: number | null;
  /** Milliseconds since 1970. */
  readonly issuedAtMs: number;
}

/** Both programs run on one computer, with one clock. */
const PROOF_LIFETIME_MS = 60_000;

/** Says the same thing again when it is sent twice: whoever overhears it learns nothing and changes nothing. */
export const proveLocalReset = (secret: string, reset: LocalReset): string =>
  createHmac('sha256', secret)
    .update(
      JSON.stringify(['ferry/local-reset/v1', reset.email, reset.passwordHash, reset.lifetimeMs, reset.issuedAtMs]),
    )
    .digest('hex');

export function isLocalReset(secret: string, reset: LocalReset, proof: string, nowMs: number): boolean {
  const expected = Buffer.from(proveLocalReset(secret, reset));
  const given = Buffer.from(proof);
  return (
    Math.abs(nowMs - reset.issuedAtMs) <= PROOF_LIFETIME_MS &&
    given.length === expected.length &&
    timingSafeEqual(given, expected)
  );
}
