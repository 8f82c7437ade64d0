import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { In, type EntityManager } from 'typeorm';
import type { AccountId } from '../../../kernel/ids.js';
import type { OidcIdentity } from './user.js';
import { RemovedPersonEntity } from './removed-person.entity.js';

/** By whom a person is recognised. */
export interface KnownPerson {
  readonly email: string;
  readonly oidc: OidcIdentity | undefined;
}

/** Who was removed from an account: the word of an OpenID provider does not bring them back (docs/reference/security.md). */
@Injectable()
export class RemovedPeopleStore {
  async add(manager: EntityManager, accountId: AccountId, person: KnownPerson): Promise<void> {
    for (const digest of digestsOf(accountId, person)) {
      await manager.query(
        'INSERT INTO removed_person (account_id, digest) VALUES ($1, $2) ON CONFLICT (account_id, digest) DO NOTHING',
        [accountId, digest],
      );
    }
  }

  includes(manager: EntityManager, accountId: AccountId, person: KnownPerson): Promise<boolean> {
    return manager.existsBy(RemovedPersonEntity, { accountId, digest: In(digestsOf(accountId, person)) });
  }

  /** Somebody with this address was invited again. */
  async forget(manager: EntityManager, accountId: AccountId, email: string): Promise<void> {
    await manager.delete(RemovedPersonEntity, {
      accountId,
      digest: In(digestsOf(accountId, { email, oidc: undefined })),
    });
  }
}

const digestsOf = (accountId: AccountId, { email, oidc }: KnownPerson): Buffer[] => [
  digestOf(accountId, 'email', email),
  ...(oidc === undefined ? [] : [digestOf(accountId, 'openid', oidc.issuer, oidc.subject)]),
];

const digestOf = (accountId: AccountId, ...parts: readonly string[]): Buffer =>
  Buffer.from(hash('sha256', ['ferry/removed-person/v1', accountId, ...parts].join('\0'), 'hex'), 'hex');
