import type { Manager, Role } from '../../platform/access/manager.js';
import type { User } from './user.js';
import type { RelayConfig } from '../../platform/config/relay-config.js';
import { userRecord, type UserRecord } from './user-record.js';

export interface WhoAmI {
  readonly account_id: string;
  /** What the credential may do now: that of its user, or less. */
  readonly role: Role;
  /** null: the account's own token, which is nobody's. */
  readonly user: UserRecord | null;
  readonly credential: { readonly kind: 'cli_token' | 'session'; readonly id: string; readonly name: string };
  readonly service: { readonly name: string; readonly version: string };
}

/** The answer of everything that tells somebody who they are. */
export const whoAmIRecord = (
  { serviceName, version }: Pick<RelayConfig, 'serviceName' | 'version'>,
  { accountId, role, credential }: Manager,
  user: User | undefined,
): WhoAmI => ({
  account_id: accountId,
  role,
  user: user === undefined ? null : userRecord(user),
  credential: {
    kind: credential.kind === 'session' ? 'session' : 'cli_token',
    id: credential.id,
    name: credential.name,
  },
  service: { name: serviceName, version },
});
