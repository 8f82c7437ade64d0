import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { createCredential, credentialDigest, parseCredential } from '../../kernel/credential.js';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import { cliTokenIdOf, type AccountId, type CliTokenId, type UserId } from '../../kernel/ids.js';
import type { Transaction } from './accounts.store.js';
import { CliTokensStore } from './cli-tokens.store.js';
import { lowerRole, type Principal, type Role } from '../platform/access/principal.js';

const SHOWN_CHARACTERS = 4;
/** CLI tokens per user. */
const TOKENS_PER_USER = 50;
/** Compared for an unknown id, so that it takes as long as a wrong secret. */
const NO_DIGEST = Buffer.alloc(32);

export interface CliTokenFor {
  readonly userId: UserId | null;
  readonly role: Role;
  readonly name: string;
  readonly lifetimeMs: number;
}

export interface IssuedText {
  readonly id: CliTokenId;
  readonly text: string;
}

/** Every verification queries the database: management requests are rare, and a revocation must apply at once. */
@Injectable()
export class CliTokensService {
  constructor(private readonly store: CliTokensStore) {}

  /** @returns a new token, which is not stored. Older tokens of this name are revoked. */
  async replace(accountId: AccountId, name: string): Promise<string> {
    const credential = createCredential('cli-token');
    await this.store.revokeByName(accountId, name);
    await this.store.insert(accountId, {
      id: cliTokenIdOf(credential.publicId),
      digest: credentialDigest(credential),
      name,
      last4: credential.text.slice(-SHOWN_CHARACTERS),
    });
    return credential.text;
  }

  /**
   * @throws FerryError `missing_or_malformed_credential` (no look-up was made), `invalid_credential` (unknown, expired and
   * revoked look alike). An error of the database is passed on: it is a 503, never a 401.
   */
  async verify(text: string): Promise<Principal> {
    const credential = parseCredential('cli-token', text);
    if (credential === undefined) {
      throw new FerryError(
        'missing_or_malformed_credential',
        'This route takes a CLI token (`ferry-cli-…`), no other credential.',
      );
    }
    const stored = await this.store.findForVerification(cliTokenIdOf(credential.publicId));
    const matches = timingSafeEqual(stored?.digest ?? NO_DIGEST, credentialDigest(credential));
    if (stored === undefined || !matches || !stored.active) {
      throw new FerryError('invalid_credential', 'The CLI token is unknown, expired or revoked.');
    }
    return {
      accountId: stored.accountId,
      userId: stored.userId,
      role: stored.userRole === null ? stored.role : lowerRole(stored.role, stored.userRole),
      credential: { kind: 'cli-token', id: stored.id, name: stored.name },
    };
  }

  /** For responses that outlive their request. */
  async isActive(accountId: AccountId, id: CliTokenId): Promise<boolean> {
    const stored = await this.store.findForVerification(id);
    return stored?.active === true && stored.accountId === accountId;
  }

  /** A token for an approved device login. @returns its text, which is not stored, and its id */
  async issue(manager: Transaction, accountId: AccountId, token: CliTokenFor): Promise<IssuedText> {
    const credential = createCredential('cli-token');
    const id = cliTokenIdOf(credential.publicId);
    const last4 = credential.text.slice(-SHOWN_CHARACTERS);
    await this.store.issue(
      manager,
      accountId,
      { ...token, id, digest: credentialDigest(credential), last4 },
      TOKENS_PER_USER,
    );
    return { id, text: credential.text };
  }
}
