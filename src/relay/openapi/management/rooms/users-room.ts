import { flag, literal, nullable, object, optional, text, whole } from '../../inference/schema.js';
import type { ManagementRoom } from '../management-route.js';
import { EXAMPLE_SECONDS, exampleIds, SECRET_PLACEHOLDER } from './examples.js';
import { onePage, pageOf, role, seconds } from './fields.js';

export const userExample = {
  object: 'user',
  user_id: exampleIds.user,
  email: 'ada@example.com',
  name: 'Ada',
  role: 'owner',
  disabled: false,
  created: EXAMPLE_SECONDS,
  last_sign_in: EXAMPLE_SECONDS,
  password_expires: null,
};

const inviteExample = {
  object: 'invite',
  invite_id: exampleIds.invite,
  role: 'member',
  created_by: exampleIds.user,
  created: EXAMPLE_SECONDS,
  expires: EXAMPLE_SECONDS + 604_800,
};

const user = {
  object: literal('user'),
  user_id: text(),
  email: text(),
  name: text(),
  role,
  disabled: flag('Signed out everywhere and cannot sign in.'),
  created: seconds('When the person joined.'),
  last_sign_in: nullable(seconds('null: never.')),
  password_expires: nullable(
    seconds('Until when a password that was made for this person is good; null: it is theirs.'),
  ),
};

const invite = {
  object: literal('invite'),
  invite_id: text(),
  role,
  created_by: nullable(text('The id of whoever made it; null: the token of the account.')),
  created: seconds('When it was made.'),
  expires: seconds('Until when it can be accepted.'),
};

export const usersRoom: ManagementRoom = {
  tag: 'People',
  about: 'Who belongs to the account, and invites for those who shall.',
  routes: [
    {
      method: 'get',
      path: '/api/users',
      operationId: 'listUsers',
      summary: 'List the people of the account',
      role: 'member',
      paged: true,
      answer: { status: 200, about: 'Oldest first.', schema: 'UserList', example: onePage(userExample) },
    },
    {
      method: 'patch',
      path: '/api/users/{userId}',
      operationId: 'changeUser',
      summary: 'Change the role or name of somebody, or disable them',
      description: 'Nobody gives a role above their own, and the last owner stays one.',
      role: 'admin',
      request: { schema: 'ChangeUser', example: { role: 'admin' } },
      answer: { status: 200, about: 'As changed.', schema: 'User', example: { ...userExample, role: 'admin' } },
      errors: ['conflict'],
    },
    {
      method: 'delete',
      path: '/api/users/{userId}',
      operationId: 'removeUser',
      summary: 'Remove somebody from the account',
      role: 'admin',
      answer: { status: 200, about: 'Who was removed.', schema: 'User', example: userExample },
      errors: ['conflict'],
    },
    {
      method: 'post',
      path: '/api/users/{userId}/reset-password',
      operationId: 'resetPassword',
      summary: 'Make a temporary password for somebody',
      description: 'Good for an hour. Ends everything they are signed in with.',
      role: 'admin',
      answer: {
        status: 200,
        about: 'To be handed over.',
        schema: 'ResetUser',
        example: {
          ...userExample,
          password_expires: EXAMPLE_SECONDS + 3_600,
          temporary_password: SECRET_PLACEHOLDER,
        },
      },
    },
    {
      method: 'get',
      path: '/api/invites',
      operationId: 'listInvites',
      summary: 'List the open invites',
      role: 'admin',
      paged: true,
      answer: { status: 200, about: 'Oldest first.', schema: 'InviteList', example: onePage(inviteExample) },
    },
    {
      method: 'post',
      path: '/api/invites',
      operationId: 'createInvite',
      summary: 'Invite somebody',
      description: 'Makes a token to hand over, with the command that accepts it; no mail is sent.',
      role: 'admin',
      request: { schema: 'CreateInvite', example: { role: 'member' }, optional: true },
      answer: {
        status: 201,
        about: 'The token, shown this once.',
        schema: 'CreatedInvite',
        example: {
          ...inviteExample,
          invite_token: SECRET_PLACEHOLDER,
          link: null,
          accept_command:
            `curl -fsS https://relay.example/api/invites/accept -H 'Content-Type: application/json' ` +
            `-d '{"token":"${SECRET_PLACEHOLDER}","email":"YOU@EXAMPLE.COM","password":"YOUR-PASSWORD"}'`,
        },
      },
    },
    {
      method: 'delete',
      path: '/api/invites/{inviteId}',
      operationId: 'revokeInvite',
      summary: 'Take an invite back',
      role: 'admin',
      answer: { status: 200, about: 'The invite that is no more.', schema: 'Invite', example: inviteExample },
    },
    {
      method: 'post',
      path: '/api/invites/accept',
      operationId: 'acceptInvite',
      summary: 'Accept an invite',
      role: 'public',
      request: {
        schema: 'AcceptInvite',
        example: {
          token: SECRET_PLACEHOLDER,
          email: 'grace@example.com',
          password: 'correct horse battery staple',
          name: 'Grace',
        },
      },
      answer: {
        status: 201,
        about: 'Who one is now. The session is in the cookie that comes with it.',
        schema: 'WhoAmI',
        example: {
          account_id: exampleIds.account,
          role: 'member',
          user: { ...userExample, email: 'grace@example.com', name: 'Grace', role: 'member' },
          credential: { kind: 'session', id: 'ses_4fPq8ZtW1nKd', name: 'grace@example.com' },
          service: { name: 'ferry', version: '0.1.0' },
        },
      },
      errors: ['not_found', 'conflict'],
    },
  ],
  schemas: {
    User: whole(user),
    UserList: pageOf('User'),
    ResetUser: whole({ ...user, temporary_password: text('Shown this once.') }),
    ChangeUser: object(
      optional({ role, disabled: flag(), name: text() }),
      [],
      'What is left out, or null, stays as it is.',
    ),
    Invite: whole(invite),
    InviteList: pageOf('Invite'),
    CreatedInvite: whole({
      ...invite,
      invite_token: text('Shown this once.'),
      link: nullable(text('A page on which it is accepted; null: none is served.')),
      accept_command: text('To be handed over: accepts the invite, with e-mail address and password filled in.'),
    }),
    CreateInvite: object(optional({ role })),
    AcceptInvite: object(
      {
        token: text('What stands behind the `#` of the link.'),
        email: { ...text(), format: 'email' },
        password: text('10 to 128 characters, any.'),
        ...optional({ name: text('Default: the e-mail address.') }),
      },
      ['token', 'email', 'password'],
    ),
  },
};
