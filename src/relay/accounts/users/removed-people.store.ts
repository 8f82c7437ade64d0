import { createHmac, createSecretKey, hash, hkdfSync, type KeyObject } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { In, type EntityManager } from 'typeorm';
import type { AccountId } from '../../../kernel/ids.js';
import { RELAY_CONFIG, type RelayConfig } from '../../platform/config/relay-config.js';
import type { OidcIdentity } from './user.js';
import { RemovedPersonEntity } from './removed-person.entity.js';

/** By whom a person is recognised. */
export interface KnownPerson {
  readonly email: string;
  readonly oidc: OidcIdentity | undefined;
}

const KEY_BYTES = 32;

/**
 * Who was removed from an account: the word of an OpenID provider does not bring them back (docs/reference/security.md). Kept as digests with a
 * key of `FERRY_SECRET`, because an address can be guessed: a copy of the database does not tell whose they are.
 */
@Injectable()
export class RemovedPeopleStore {
  private readonly key: KeyObject;

  constructor(@Inject(RELAY_CONFIG) { secret }: Pick<RelayConfig, 'secret'>) {
    this.key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', 'ferry/removed-person/v2', KEY_BYTES)));
  }

  async add(manager: EntityManager, accountId: AccountId, person: KnownPerson): Promise<void> {
    for (const text of textsOf(accountId, person)) {
      await manager.query(
        'INSERT INTO removed_person (account_id, digest) VALUES ($1, $2) ON CONFLICT (account_id, digest) DO NOTHING',
        [accountId, this.digestOf(text)],
      );
    }
  }

  includes(manager: EntityManager, accountId: AccountId, person: KnownPerson): Promise<boolean> {
    return manager.existsBy(RemovedPersonEntity, { accountId, digest: In(this.digestsOf(accountId, person)) });
  }

  /** Somebody with this address was invited again. */
  async forget(manager: EntityManager, accountId: AccountId, email: string): Promise<void> {
    await manager.delete(RemovedPersonEntity, {
      accountId,
      digest: In(this.digestsOf(accountId, { email, oidc: undefined })),
    });
  }

  private digestOf(text: string): Buffer {
    return createHmac('sha256', this.key).update(text).digest();
  }

  /** Digests with and without a key: earlier ones were stored without. */
  private digestsOf(accountId: AccountId, person: KnownPerson): Buffer[] {
    return textsOf(accountId, person).flatMap((text) => [this.digestOf(text), unkeyedDigestOf(text)]);
  }
}

const textsOf = (accountId: AccountId, { email, oidc }: KnownPerson): string[] => [
  [accountId, 'email', email].join('\0'),
  ...(oidc === undefined ? [] : [[accountId, 'openid', oidc.issuer, oidc.subject].join('\0')]),
];

const unkeyedDigestOf = (text: string): Buffer =>
  Buffer.from(hash('sha256', `ferry/removed-person/v1\0${text}`, 'hex'), 'hex');
