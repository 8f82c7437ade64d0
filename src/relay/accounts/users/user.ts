import { FerryError } from '../../../kernel/errors/ferry-error.js';
import { isUserId, type AccountId, type UserId } from '../../../kernel/ids.js';
import type { Role } from '../../platform/access/principal.js';

/** A user, without the credentials. */
export interface User {
  readonly accountId: AccountId;
  readonly id: UserId;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly createdAt: Date;
  readonly lastSignInAt: Date | null;
  readonly disabledAt: Date | null;
  /** False: sign-in through the OpenID provider only. */
  readonly hasPassword: boolean;
  /** Set: signs in through the OpenID provider. */
  readonly oidc: OidcIdentity | undefined;
  /** Set for a temporary password: the user must choose another one before then. */
  readonly passwordExpiresAt: Date | null;
}

export interface NewUser {
  readonly accountId: AccountId;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly passwordHash: string | null;
  readonly oidc?: OidcIdentity;
}

/** The stable identity at an OpenID provider; an e-mail address may change or be reassigned. */
export interface OidcIdentity {
  readonly issuer: string;
  readonly subject: string;
}

/** @throws FerryError `not_found` for a text that is not an id, as for an id that does not exist */
export function parseUserId(text: string): UserId {
  if (!isUserId(text)) throw new FerryError('not_found', 'There is no user with this id.');
  return text;
}
