import type { Role } from '../../platform/access/manager.js';
import type { User } from './user.js';
import { unixSeconds, unixSecondsOrNull } from '../../api/list-answer.js';

/** A person as `/api/users` shows one. Times in seconds since 1970. */
export interface UserRecord {
  readonly object: 'user';
  readonly user_id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly disabled: boolean;
  readonly created: number;
  /** null: never. */
  readonly last_sign_in: number | null;
  /** Until when a password that was made for this person is good; null: it is their own, or they have none. */
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
