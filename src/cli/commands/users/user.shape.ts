import { z } from 'zod';

/** One row of `ferry users list`, as `GET /api/users` has it. */
export const userShape = z.looseObject({
  object: z.literal('user'),
  user_id: z.string(),
  email: z.string(),
  name: z.string(),
  role: z.string().describe('owner, admin or member'),
  disabled: z.boolean(),
  created: z.number().int().describe('seconds since 1970'),
  last_sign_in: z.number().int().nullable(),
  password_expires: z.number().int().nullable().describe('of a password that was made for this person'),
});

const inviteFields = {
  object: z.literal('invite'),
  invite_id: z.string(),
  role: z.string(),
  created_by: z.string().nullable(),
  created: z.number().int(),
  expires: z.number().int(),
};

/** One row of `ferry users invites`. */
export const inviteShape = z.looseObject(inviteFields);

/** `ferry users invite`: the only time that the token is shown. */
export const createdInviteShape = z.looseObject({
  ...inviteFields,
  invite_token: z.string(),
  link: z.string().nullable().describe('a page on which it is accepted; null: the relay serves none'),
  accept_command: z.string().describe('accepts it, with e-mail address and password filled in'),
});

export type UserRecord = z.output<typeof userShape>;
export type InviteRecord = z.output<typeof inviteShape>;
export type CreatedInvite = z.output<typeof createdInviteShape>;
