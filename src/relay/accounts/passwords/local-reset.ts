import { createHmac, timingSafeEqual } from 'node:crypto';

/** A password that is set with the authority of the relay's secret, and so of its computer: of a user, or of a new owner. */
export interface LocalReset {
  readonly purpose: 'reset' | 'create-owner';
  readonly email: string;
  /** PHC string of argon2id: the password itself is never sent. */
  readonly passwordHash: string;
  /** A generated password has a lifetime; null: the user chose it. */
  readonly lifetimeMs: number | null;
  /** Milliseconds since 1970. */
  readonly issuedAtMs: number;
}

/** Both programs use the clock of one computer. */
const PROOF_LIFETIME_MS = 60_000;

/** Binds all fields, so that a replay can only repeat the same reset. */
export const proveLocalReset = (secret: string, reset: LocalReset): string =>
  createHmac('sha256', secret)
    .update(
      JSON.stringify([
        `ferry/local-${reset.purpose}/v1`,
        reset.email,
        reset.passwordHash,
        reset.lifetimeMs,
        reset.issuedAtMs,
      ]),
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
