import {
  integer,
  list,
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
import { EXAMPLE_SECONDS, exampleIds, SECRET_PLACEHOLDER } from './examples.js';
import { onePage, pageOf, seconds } from './fields.js';

const limitsExample = { requests_per_minute: 600, tokens_per_minute: null, concurrency: 8 };
const keyExample = {
  object: 'api_key',
  key_id: exampleIds.key,
  name: 'my app',
  last4: '8sWx',
  scopes: ['inference'],
  cluster_ids: [exampleIds.cluster],
  limits: limitsExample,
  created_by: exampleIds.user,
  created: EXAMPLE_SECONDS,
  expires: null,
  last_used: EXAMPLE_SECONDS,
  revoked: null,
};
const newKey = { ...keyExample, last_used: null, key: SECRET_PLACEHOLDER, warnings: [] };
const idOrName = 'The id of the key, or the name of an active one.';

const key = {
  object: literal('api_key'),
  key_id: text('Also the first characters of the key behind `sk-ferry-`.'),
  name: text(),
  last4: text('The last characters of the key.'),
  scopes: list(oneOfTexts(['inference', 'models:read'])),
  cluster_ids: nullable(list(text(), 'The only clusters that the key reaches; null: all of the account.')),
  limits: ref('KeyLimits'),
  created_by: nullable(text('The user whose key it is; null: the account.')),
  created: seconds('When it was made.'),
  expires: nullable(seconds('null: never.')),
  last_used: nullable(seconds('To the minute; null: not yet.')),
  revoked: nullable(seconds('null: it works.')),
};
const fresh = {
  ...key,
  key: text('The key itself, shown this once.'),
  warnings: list(text(), 'For people; usually none.'),
};

export const keysRoom: ManagementRoom = {
  tag: 'API keys',
  about: 'Credentials for `/v1`. Members see and change their own, admins all of the account.',
  routes: [
    {
      method: 'get',
      path: '/api/keys',
      operationId: 'listKeys',
      summary: 'List the API keys',
      role: 'member',
      paged: true,
      answer: { status: 200, about: 'Oldest first.', schema: 'KeyList', example: onePage(keyExample) },
    },
    {
      method: 'post',
      path: '/api/keys',
      operationId: 'createKey',
      summary: 'Create an API key',
      role: 'member',
      request: {
        schema: 'CreateKey',
        example: {
          name: 'my app',
          scopes: ['inference'],
          cluster_ids: [exampleIds.cluster],
          limits: { requests_per_minute: 600, concurrency: 8 },
        },
      },
      answer: { status: 201, about: 'With the key itself, this once.', schema: 'NewKey', example: newKey },
      errors: ['cluster_not_found'],
    },
    {
      method: 'patch',
      path: '/api/keys/{idOrName}',
      operationId: 'changeKey',
      summary: 'Rename an API key or change its limits',
      description: 'Limits are changed by admins.',
      role: 'member',
      parameters: { idOrName },
      request: { schema: 'ChangeKey', example: { name: 'my other app' } },
      answer: { status: 200, about: 'As changed.', schema: 'Key', example: { ...keyExample, name: 'my other app' } },
      errors: ['insufficient_role'],
    },
    {
      method: 'post',
      path: '/api/keys/{idOrName}/roll',
      operationId: 'rollKey',
      summary: 'Replace an API key',
      description: 'Makes a key with the same rights; the old one works on for as long as `overlap` says.',
      role: 'member',
      parameters: { idOrName },
      request: { schema: 'RollKey', example: { overlap: '24h' } },
      answer: {
        status: 201,
        about: 'The new key, this once, and the old one.',
        schema: 'RolledKey',
        example: { ...newKey, previous: { ...keyExample, expires: EXAMPLE_SECONDS + 86_400 } },
      },
    },
    {
      method: 'delete',
      path: '/api/keys/{idOrName}',
      operationId: 'revokeKey',
      summary: 'Revoke an API key',
      description: 'At once, on streams that are under way within two seconds.',
      role: 'member',
      parameters: { idOrName },
      answer: {
        status: 200,
        about: 'The key that works no more.',
        schema: 'Key',
        example: { ...keyExample, revoked: EXAMPLE_SECONDS },
      },
    },
  ],
  schemas: {
    Key: whole(key),
    KeyList: pageOf('Key'),
    NewKey: whole(fresh),
    RolledKey: whole({ ...fresh, previous: ref('Key') }),
    KeyLimits: whole(
      {
        requests_per_minute: nullable(integer()),
        tokens_per_minute: nullable(integer('Input and output together.')),
        concurrency: nullable(integer('Requests that run at once.')),
      },
      'null: no limit of its own.',
    ),
    KeyLimitsChange: object(
      optional({ requests_per_minute: integer(), tokens_per_minute: integer(), concurrency: integer() }),
      [],
      'What is left out stays as it is; null takes the limit away.',
    ),
    CreateKey: object(
      {
        name: text('What the key is for. Unique among the active keys of the account.'),
        ...optional({
          scopes: list(oneOfTexts(['inference', 'models:read']), 'Default: `inference`, which implies `models:read`.'),
          cluster_ids: list(text(), 'Default: all of the account, also those that come later.'),
          expires_in_seconds: integer('Default: never.'),
          limits: ref('KeyLimitsChange'),
        }),
      },
      ['name'],
    ),
    ChangeKey: object({ name: text(), ...optional({ limits: ref('KeyLimitsChange') }) }),
    RollKey: object({ overlap: oneOfTexts(['0', '1h', '24h', '7d'], 'How long the old key works on.') }, ['overlap']),
  },
};
