import { integer, literal, nullable, object, oneOfTexts, optional, ref, text, whole } from '../../inference/schema.js';
import type { ManagementRoom } from '../management-route.js';
import { EXAMPLE_SECONDS, exampleIds, SECRET_PLACEHOLDER } from './examples.js';
import { role, seconds } from './fields.js';
import { userExample } from './users-room.js';

const USER_CODE = 'BCDF-GHJK';
const login = {
  object: 'device_login',
  user_code: USER_CODE,
  state: 'pending',
  client_name: 'build-server',
  client_address: '203.0.113.7',
  created: EXAMPLE_SECONDS,
  expires: EXAMPLE_SECONDS + 600,
};
const codeAbout = 'With or without the dash, in any case.';

export const deviceLoginRoom: ManagementRoom = {
  tag: 'Device sign-in',
  about: 'How a command line on a machine without a browser is signed in (RFC 8628).',
  routes: [
    {
      method: 'post',
      path: '/api/device-login',
      operationId: 'startDeviceLogin',
      summary: 'Begin to sign a command line in',
      role: 'public',
      request: { schema: 'StartDeviceLogin', example: { name: 'build-server' }, optional: true },
      answer: {
        status: 200,
        about: 'Show the user code, and ask for the token every `interval` seconds.',
        schema: 'StartedDeviceLogin',
        example: {
          device_code: SECRET_PLACEHOLDER,
          user_code: USER_CODE,
          verification_uri: null,
          verification_uri_complete: null,
          approve_command: `ferry login approve ${USER_CODE}`,
          expires_in: 600,
          interval: 5,
        },
      },
    },
    {
      method: 'post',
      path: '/api/device-login/token',
      operationId: 'getDeviceLoginToken',
      summary: 'Ask whether somebody has approved',
      role: 'public',
      request: { schema: 'DeviceLoginCode', example: { device_code: SECRET_PLACEHOLDER } },
      answer: {
        status: 200,
        about: 'The CLI token, shown this once.',
        schema: 'DeviceLoginToken',
        example: { cli_token: SECRET_PLACEHOLDER, account_id: exampleIds.account, user: userExample },
      },
      errors: ['authorization_pending', 'slow_down', 'expired_token', 'access_denied'],
    },
    {
      method: 'get',
      path: '/api/device-login/{userCode}',
      operationId: 'showDeviceLogin',
      summary: 'Look at a command line that wants to be signed in',
      role: 'member',
      parameters: { userCode: codeAbout },
      answer: { status: 200, about: 'Not yours? Then deny it.', schema: 'DeviceLogin', example: login },
    },
    {
      method: 'post',
      path: '/api/device-login/approve',
      operationId: 'approveDeviceLogin',
      summary: 'Sign a command line in as oneself',
      role: 'member',
      request: { schema: 'ApproveDeviceLogin', example: { user_code: USER_CODE } },
      answer: { status: 200, about: 'Approved.', schema: 'DeviceLogin', example: { ...login, state: 'approved' } },
      errors: ['not_found', 'insufficient_role'],
    },
    {
      method: 'post',
      path: '/api/device-login/deny',
      operationId: 'denyDeviceLogin',
      summary: 'Refuse a command line',
      role: 'member',
      request: { schema: 'UserCode', example: { user_code: USER_CODE } },
      answer: { status: 200, about: 'Refused.', schema: 'DeviceLogin', example: { ...login, state: 'denied' } },
      errors: ['not_found'],
    },
  ],
  schemas: {
    StartDeviceLogin: object(optional({ name: text('What whoever approves is shown; the name of the token.') })),
    StartedDeviceLogin: whole({
      device_code: text('For the command line alone.'),
      user_code: text('For the person.'),
      verification_uri: nullable(text('A page on which it is approved; null: none is served.')),
      verification_uri_complete: nullable(text('The same with the code filled in.')),
      approve_command: text('What approves it, on a computer where `ferry` is signed in.'),
      expires_in: integer('Seconds.'),
      interval: integer('Seconds between two questions.'),
    }),
    DeviceLoginCode: object({ device_code: text() }, ['device_code']),
    DeviceLoginToken: whole({ cli_token: text(), account_id: text(), user: nullable(ref('User')) }),
    DeviceLogin: whole({
      object: literal('device_login'),
      user_code: text(),
      state: oneOfTexts(['pending', 'approved', 'denied']),
      client_name: text('What the command line calls itself.'),
      client_address: nullable(text('Where it asked from.')),
      created: seconds('When it began.'),
      expires: seconds('Until when it can be approved.'),
    }),
    UserCode: object({ user_code: text(codeAbout) }, ['user_code']),
    ApproveDeviceLogin: object(
      {
        user_code: text(codeAbout),
        ...optional({ role: { ...role, description: 'Of the new token. Default: your own.' } }),
      },
      ['user_code'],
    ),
  },
};
