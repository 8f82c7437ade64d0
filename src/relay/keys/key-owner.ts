import { FerryError } from '../../kernel/errors/ferry-error.js';
import type { UserId } from '../../kernel/ids.js';
import { permits } from '../platform/access/permissions.js';
import type { Principal, Role } from '../platform/access/principal.js';
import { apiKeyScopes, type ApiKeyScope } from '../platform/access/caller.js';

/** The user whose keys a principal may see and change; null: all keys of the account. */
export type KeyOwner = UserId | null;

/**
 * A key may do no more than its creator (docs/reference/security.md#api-keys). Every member of an account may use its models.
 */
const grantableScopes: Record<Role, readonly ApiKeyScope[]> = {
  member: apiKeyScopes,
  admin: apiKeyScopes,
  owner: apiKeyScopes,
};

export const mayGrant = ({ role }: Pick<Principal, 'role'>, scopes: readonly ApiKeyScope[]): boolean =>
  scopes.every((scope) => grantableScopes[role].includes(scope));

/** Members reach their own keys, admins and owners all keys of the account. */
export function reachableOwner({ role, userId }: Pick<Principal, 'role' | 'userId'>): KeyOwner {
  if (permits(role, 'keys:manage')) return null;
  // Never all of them for a credential that is nobody's.
  if (userId === null) throw new FerryError('insufficient_role');
  return userId;
}
