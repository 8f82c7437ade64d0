import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { createCredential, credentialDigest, parseCredential } from '../../kernel/credential.js';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import { cliTokenIdOf, type AccountId, type CliTokenId, type UserId } from '../../kernel/ids.js';
import { lockAccount, type Transaction } from './accounts.store.js';
import { GrantedAccessStore } from './granted-access.store.js';
import { CliTokensStore, type StoredCliToken } from './cli-tokens.store.js';
import { lowerRole, type Principal, type Role } from '../platform/access/principal.js';

const SHOWN_CHARACTERS = 4;
/** CLI tokens per user. */
const TOKENS_PER_USER = 50;
/** Compared for an unknown id, so that it takes as long as a wrong secret. */
const NO_DIGEST = Buffer.alloc(32);

export interface CliTokenFor {
  readonly userId: UserId;
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
  constructor(
    private readonly store: CliTokensStore,
    private readonly granted: GrantedAccessStore,
  ) {}

  /** @returns a new token of the relay itself, which is not stored. The one before is revoked, with all that it has handed out. */
  async replace(accountId: AccountId, name: string): Promise<string> {
    const credential = createCredential('cli-token');
    await this.store.transaction(async (manager) => {
      await lockAccount(manager, accountId);
      await this.endBootstrap(manager, accountId);
      await this.store.insertBootstrap(manager, accountId, {
        id: cliTokenIdOf(credential.publicId),
        digest: credentialDigest(credential),
        name,
        last4: credential.text.slice(-SHOWN_CHARACTERS),
      });
    });
    return credential.text;
  }

  /** Revokes the token of the relay itself, with all that it has handed out. */
  async endBootstrap(manager: Transaction, accountId: AccountId): Promise<void> {
    await this.store.revokeBootstrap(manager, accountId);
    await this.granted.endAllOfRelay(manager, accountId);
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
      role: roleOf(stored),
      credential: { kind: 'cli-token', id: stored.id, name: stored.name },
    };
  }

  /** The role of a token that was verified earlier; undefined when it has ended. */
  async currentRole(accountId: AccountId, id: CliTokenId, manager?: Transaction): Promise<Role | undefined> {
    const stored = await this.store.findForVerification(id, manager);
    return stored?.active === true && stored.accountId === accountId ? roleOf(stored) : undefined;
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

const roleOf = ({ role, userRole }: StoredCliToken): Role => (userRole === null ? role : lowerRole(role, userRole));
