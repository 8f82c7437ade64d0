import {
  flag,
  integer,
  literal,
  nullable,
  object,
  oneOfTexts,
  optional,
  ref,
  text,
  whole,
} from '../../inference/schema.js';
import type { ManagementRoom } from '../management-route.js';
import { exampleIds, SECRET_PLACEHOLDER } from './examples.js';
import { role } from './fields.js';
import { userExample } from './users-room.js';

const whoAmI = {
  account_id: exampleIds.account,
  role: 'owner',
  user: userExample,
  credential: { kind: 'cli_token', id: exampleIds.cliToken, name: 'laptop' },
  service: { name: 'ferry', version: '0.1.0' },
};
const entered = { ...whoAmI, credential: { kind: 'session', id: 'ses_4fPq8ZtW1nKd', name: userExample.email } };
const cookie = 'Who one is now. The session is in the cookie that comes with it.';
const signIn = { email: 'ada@example.com', password: 'correct horse battery staple' };

export const accountRoom: ManagementRoom = {
  tag: 'Account',
  about: 'Signing up, in and out, and who one is.',
  routes: [
    {
      method: 'get',
      path: '/api/whoami',
      operationId: 'whoAmI',
      summary: 'Tell whose credential this is',
      role: 'member',
      answer: { status: 200, about: 'The account, the person and the credential.', schema: 'WhoAmI', example: whoAmI },
    },
    {
      method: 'post',
      path: '/api/sign-in',
      operationId: 'signIn',
      summary: 'Sign in with a password',
      description: 'For browsers. Wrong attempts make the next ones wait, per person and per address.',
      role: 'public',
      request: { schema: 'SignIn', example: signIn },
      answer: { status: 200, about: cookie, schema: 'WhoAmI', example: entered },
      errors: ['wrong_email_or_password'],
    },
    {
      method: 'post',
      path: '/api/sign-up',
      operationId: 'signUp',
      summary: 'Make an account of one’s own',
      description: 'Only where the relay was set up with `FERRY_SIGN_UP=open`.',
      role: 'public',
      request: { schema: 'SignUp', example: { ...signIn, name: 'Ada' } },
      answer: { status: 201, about: cookie, schema: 'WhoAmI', example: entered },
      errors: ['sign_up_closed', 'conflict'],
    },
    {
      method: 'post',
      path: '/api/sign-out',
      operationId: 'signOut',
      summary: 'End this session or CLI token',
      role: 'member',
      answer: {
        status: 200,
        about: 'It has ended.',
        schema: 'SignedOut',
        example: { object: 'signed_out', everywhere: false },
      },
    },
    {
      method: 'post',
      path: '/api/sign-out-everywhere',
      operationId: 'signOutEverywhere',
      summary: 'End every session and CLI token of this person',
      role: 'member',
      answer: {
        status: 200,
        about: 'All have ended.',
        schema: 'SignedOut',
        example: { object: 'signed_out', everywhere: true },
      },
    },
    {
      method: 'post',
      path: '/api/password',
      operationId: 'changePassword',
      summary: 'Change one’s password',
      description: 'Ends every session and CLI token of this person; whoever asked with a session gets a new one.',
      role: 'member',
      request: {
        schema: 'ChangePassword',
        example: { current_password: signIn.password, new_password: 'a longer and better one' },
      },
      answer: { status: 200, about: 'It is changed.', schema: 'WhoAmI', example: entered },
      errors: ['wrong_email_or_password'],
    },
    {
      method: 'get',
      path: '/api/oidc/start',
      operationId: 'startOpenId',
      summary: 'Sign in through an OpenID provider',
      description: 'For browsers; only where a provider is set up.',
      role: 'public',
      answer: { status: 302, about: 'To the provider.' },
      errors: ['invalid_request', 'route_not_found'],
    },
    {
      method: 'get',
      path: '/api/oidc/callback',
      operationId: 'finishOpenId',
      summary: 'Come back from the OpenID provider',
      role: 'public',
      answer: { status: 302, about: 'To the website, with the cookie of a new session.' },
      errors: ['invalid_request', 'sign_in_refused', 'route_not_found'],
    },
    {
      method: 'post',
      path: '/api/local/reset-password',
      operationId: 'resetPasswordLocally',
      summary: 'Let a locked-out owner in again',
      description:
        'What `ferry users reset-password` sends on the server: the proof is made with the secret of the relay.',
      role: 'public',
      request: {
        schema: 'LocalReset',
        example: {
          email: userExample.email,
          password_hash: '$argon2id$…',
          lifetime_ms: 3_600_000,
          issued_at_ms: 1_763_632_800_000,
          proof: SECRET_PLACEHOLDER,
        },
      },
      answer: { status: 200, about: 'Whose password was set.', schema: 'User', example: userExample },
      errors: ['invalid_credential', 'not_found'],
    },
  ],
  schemas: {
    WhoAmI: whole({
      account_id: text(),
      role,
      user: nullable(ref('User')),
      credential: whole({ kind: oneOfTexts(['cli_token', 'session']), id: text(), name: text() }),
      service: whole({ name: text(), version: text() }),
    }),
    SignIn: object({ email: text(), password: text() }, ['email', 'password']),
    SignUp: object(
      {
        email: { ...text(), format: 'email' },
        password: text('10 to 128 characters, any.'),
        ...optional({ name: text('Default: the e-mail address.') }),
      },
      ['email', 'password'],
    ),
    LocalReset: object(
      {
        email: text(),
        password_hash: text('argon2id, as a PHC string.'),
        issued_at_ms: integer('Milliseconds since 1970.'),
        proof: text(),
        ...optional({ lifetime_ms: integer('How long the password is good. Default: until it is changed.') }),
      },
      ['email', 'password_hash', 'issued_at_ms', 'proof'],
    ),
    SignedOut: whole({ object: literal('signed_out'), everywhere: flag() }),
    ChangePassword: object({ current_password: text(), new_password: text('10 to 128 characters, any.') }, [
      'current_password',
      'new_password',
    ]),
  },
};
