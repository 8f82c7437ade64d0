import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { createCredential, credentialDigest, parseCredential } from '../../kernel/credential.js';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import { cliTokenIdOf, type AccountId } from '../../kernel/ids.js';
import { CliTokensStore } from './cli-tokens.store.js';
import type { Manager } from './manager.js';

const SHOWN_CHARACTERS = 4;
/** What an unknown id is compared with, so that it takes the same path as a wrong secret. */
const NO_DIGEST = Buffer.alloc(32);

/** CLI tokens are judged by the database every time: management is rare, and a revoked token must be dead at once. */
@Injectable()
export class CliTokensService {
  constructor(private readonly store: CliTokensStore) {}

  /** The text of a new token: shown once, only its digest is kept. Older tokens of this name stop working. */
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
  async verify(text: string): Promise<Manager> {
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
    return { accountId: stored.accountId, credential: { kind: 'cli-token', id: stored.id, name: stored.name } };
  }
}
