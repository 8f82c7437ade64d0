import { ApiProperty } from 'nest-swagger';
import { roles, type Role } from '../../platform/access/principal.js';
import type { User } from './user.js';
import { unixSeconds, unixSecondsOrNull } from '../../platform/api/list-response.js';

/** A user in `/api/users`. Times in seconds since 1970. */
export class UserRecord {
  @ApiProperty({ enum: ['user'] })
  readonly object: 'user';
  @ApiProperty()
  readonly user_id: string;
  @ApiProperty()
  readonly email: string;
  @ApiProperty({ example: 'Ada' })
  readonly name: string;
  @ApiProperty({ enum: [...roles], description: 'Each role includes the ones before it.' })
  readonly role: Role;
  @ApiProperty({ description: 'A disabled user is signed out everywhere and cannot sign in.' })
  readonly disabled: boolean;
  @ApiProperty({ description: 'Signs in through the OpenID provider, and has no password here.' })
  readonly openid: boolean;
  @ApiProperty({ type: 'integer', description: 'Creation time, in seconds since 1970.' })
  readonly created: number;
  @ApiProperty({ type: 'integer', nullable: true, description: 'Last sign-in, in seconds since 1970; null if never.' })
  readonly last_sign_in: number | null;
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Expiry of a temporary password, in seconds since 1970; null without one.',
  })
  readonly password_expires: number | null;
}

/** Replaces the name of a removed user. */
export class ErasedUserRecord {
  @ApiProperty({ enum: ['erased_user'] })
  readonly object: 'erased_user';
  @ApiProperty()
  readonly user_id: string;
  @ApiProperty({ example: 'removed-1a2b3c4d' })
  readonly pseudonym: string;
  @ApiProperty({ type: 'integer', description: 'Events of the audit trail by or about the user.' })
  readonly audit_events: number;
}

export const userRecord = (user: User): UserRecord => ({
  object: 'user',
  user_id: user.id,
  email: user.email,
  name: user.name,
  role: user.role,
  disabled: user.disabledAt !== null,
  openid: user.oidc !== undefined,
  created: unixSeconds(user.createdAt),
  last_sign_in: unixSecondsOrNull(user.lastSignInAt),
  password_expires: unixSecondsOrNull(user.passwordExpiresAt),
});
