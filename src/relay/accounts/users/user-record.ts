import type { Role } from '../../platform/access/principal.js';
import type { User } from './user.js';
import { unixSeconds, unixSecondsOrNull } from '../../api/list-answer.js';
import { ApiProperty } from '../../platform/openapi/decorators.js';

/** A person as `/api/users` shows one. Times in seconds since 1970. */
export class UserRecord {
  @ApiProperty({ enum: ['user'] })
  readonly object: 'user';
  @ApiProperty()
  readonly user_id: string;
  @ApiProperty()
  readonly email: string;
  @ApiProperty({ example: 'Ada' })
  readonly name: string;
  @ApiProperty({ enum: ['member', 'admin', 'owner'], description: 'Each can do what those before it can, and more.' })
  readonly role: Role;
  @ApiProperty({ description: 'Signed out everywhere and cannot sign in.' })
  readonly disabled: boolean;
  @ApiProperty({ type: 'integer', description: 'When the person joined. Seconds since 1970.' })
  readonly created: number;
  @ApiProperty({ type: 'integer', nullable: true, description: 'null: never. Seconds since 1970.' })
  readonly last_sign_in: number | null;
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description:
      'Until when a password that was made for this person is good; null: it is their own, or they have none. Seconds since 1970.',
  })
  readonly password_expires: number | null;
}

export const userRecord = (user: User): UserRecord => ({
  object: 'user',
  user_id: user.id,
  email: user.email,
  name: user.name,
  role: user.role,
  disabled: user.disabledAt !== null,
  created: unixSeconds(user.createdAt),
  last_sign_in: unixSecondsOrNull(user.lastSignInAt),
  password_expires: unixSecondsOrNull(user.passwordExpiresAt),
});
