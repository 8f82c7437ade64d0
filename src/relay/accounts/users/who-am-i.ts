import { ApiProperty } from 'nest-swagger';
import { permissionsOf, type Permission } from '../../platform/access/permissions.js';
import { roles, type Principal, type Role } from '../../platform/access/principal.js';
import type { User } from './user.js';
import type { RelayConfig } from '../../platform/config/relay-config.js';
import { userRecord, UserRecord } from './user-record.js';

export class CredentialRecord {
  @ApiProperty({ enum: ['cli_token', 'session'] })
  readonly kind: 'cli_token' | 'session';
  @ApiProperty({ example: 'cli_Rk2v9XwQ4tLs' })
  readonly id: string;
  @ApiProperty({ example: 'laptop' })
  readonly name: string;
}

export class ServiceRecord {
  @ApiProperty({ example: 'ferry' })
  readonly name: string;
  @ApiProperty({ example: '0.1.0' })
  readonly version: string;
}

export class WhoAmI {
  @ApiProperty()
  readonly account_id: string;
  @ApiProperty({
    enum: [...roles],
    description: 'Role of the credential: that of its user, or a lower one.',
  })
  readonly role: Role;
  @ApiProperty({
    enum: permissionsOf('owner'),
    isArray: true,
    example: ['keys:read', 'keys:write'],
    description: 'What the role allows.',
  })
  readonly permissions: readonly Permission[];
  @ApiProperty({
    type: () => UserRecord,
    nullable: true,
    description: 'null for the token of the relay, which belongs to no user.',
  })
  readonly user: UserRecord | null;
  @ApiProperty({
    description:
      'Whether the user can sign in with a password. False for the first owner until one is set, and for users of OpenID only.',
  })
  readonly has_password: boolean;
  @ApiProperty({ type: () => CredentialRecord })
  readonly credential: CredentialRecord;
  @ApiProperty({ type: () => ServiceRecord })
  readonly service: ServiceRecord;
}

/** The principal and its user, as sign-in and `whoami` return them. */
export const whoAmIRecord = (
  { serviceName, version }: Pick<RelayConfig, 'serviceName' | 'version'>,
  { accountId, role, credential }: Principal,
  user: User | undefined,
): WhoAmI => ({
  account_id: accountId,
  role,
  permissions: permissionsOf(role),
  user: user === undefined ? null : userRecord(user),
  has_password: user?.hasPassword ?? false,
  credential: {
    kind: credential.kind === 'session' ? 'session' : 'cli_token',
    id: credential.id,
    name: credential.name,
  },
  service: { name: serviceName, version },
});
