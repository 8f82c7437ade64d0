import type { AccountId, CliTokenId, SessionId, UserId } from '../../../kernel/ids.js';

/** Lowest first. A member uses the account and sees its own, an admin manages it, an owner also its people and its end. */
export const roles = ['member', 'admin', 'owner'] as const;
export type Role = (typeof roles)[number];

export const hasRole = (role: Role, needed: Role): boolean => roles.indexOf(role) >= roles.indexOf(needed);

export const lowerRole = (one: Role, other: Role): Role => (hasRole(one, other) ? other : one);

/** Who sent a management request, and by which kind of credential. */
export interface Principal {
  readonly accountId: AccountId;
  /** null: the account's own token, made when the relay was set up; it belongs to nobody and may do everything. */
  readonly userId: UserId | null;
  readonly role: Role;
  readonly credential:
    | { readonly kind: 'cli-token'; readonly id: CliTokenId; readonly name: string }
    | { readonly kind: 'session'; readonly id: SessionId; readonly name: string };
}
