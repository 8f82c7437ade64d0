import type { AccountId, CliTokenId, SessionId, UserId } from '../../../kernel/ids.js';

/** Lowest first. A member uses the account and sees its own objects, an admin manages it, an owner also its users and its deletion. */
export const roles = ['member', 'admin', 'owner'] as const;
export type Role = (typeof roles)[number];

/** Constraint of a column `role`. */
export const ROLE_CHECK = `role IN (${roles.map((role) => `'${role}'`).join(', ')})`;

export const hasRole = (role: Role, needed: Role): boolean => roles.indexOf(role) >= roles.indexOf(needed);

export const lowerRole = (one: Role, other: Role): Role => (hasRole(one, other) ? other : one);

export const higherRole = (one: Role, other: Role): Role => (hasRole(one, other) ? one : other);

/** The sender of a management request, with the kind of credential. */
export interface Principal {
  readonly accountId: AccountId;
  /** null: the relay's own token, which `ferry up` keeps on the relay's computer. It has the role `owner`. */
  readonly userId: UserId | null;
  readonly role: Role;
  readonly credential:
    | { readonly kind: 'cli-token'; readonly id: CliTokenId; readonly name: string }
    | { readonly kind: 'session'; readonly id: SessionId; readonly name: string };
}
