/** Limits as a client sees them: over HTTP, in the envelope of its dialect. */
import { afterEach, describe, expect, test } from '@jest/globals';
import type { Type } from '@nestjs/common';
import { InferenceApp } from '../../../test/support/inference-app.js';
import { ChatController } from './chat/chat.controller.js';
import { MessagesController } from './messages/messages.controller.js';
import { ResponsesController } from './responses/responses.controller.js';

const messages = [{ role: 'user', content: 'hi' }];
let app: InferenceApp;

const start = async (controller: Type): Promise<void> => {
  app = await InferenceApp.start(controller, { FERRY_ACCOUNT_REQUESTS_PER_MINUTE: '2' });
  app.addNode('a', { models: [{ dialects: ['chat', 'messages', 'responses'] }] });
  app.play((stream) => {
    stream.ack().begin(2).data('{}').end();
  });
};

afterEach(async () => {
  await app.close();
});

const headersOf = (response: Response): Record<string, string | null> =>
  Object.fromEntries(
    [
      'retry-after',
      'x-should-retry',
      'ratelimit-policy',
      'ratelimit',
      'x-ratelimit-limit-requests',
      'x-ratelimit-remaining-requests',
      'x-ratelimit-reset-requests',
    ].map((name) => [name, response.headers.get(name)]),
  );

describe('limits of an account', () => {
  test.each<[string, Type, string, object, object]>([
    [
      'chat',
      ChatController,
      '/v1/chat/completions',
      { messages },
      { error: { type: 'rate_limit_error', code: 'rate_limit_exceeded', param: null } },
    ],
    [
      'messages',
      MessagesController,
      '/v1/messages',
      { messages, max_tokens: 5 },
      { error: { type: 'rate_limit_error' } },
    ],
    ['responses', ResponsesController, '/v1/responses', { input: 'hi' }, { error: { code: 'rate_limit_exceeded' } }],
  ])(
    'on %s: an answer tells what is left, and the 429 when to come back',
    async (_, controller, route, fields, error) => {
      await start(controller);
      const answered = await app.post(route, { model: 'tiny', ...fields });
      expect([answered.status, headersOf(answered)]).toEqual([
        200,
        {
          'retry-after': null,
          'x-should-retry': null,
          'ratelimit-policy': '"account-requests";q=2;w=60',
          ratelimit: '"account-requests";r=0;t=30',
          'x-ratelimit-limit-requests': '2',
          'x-ratelimit-remaining-requests': '0',
          'x-ratelimit-reset-requests': '30s',
        },
      ]);
      await answered.text();
      const refused = await app.post(route, { model: 'tiny', ...fields });
      // Half a minute makes one request; what has passed of it between the two answers is the machine's.
      const seconds = Number(refused.headers.get('retry-after'));
      expect(seconds).toBeLessThanOrEqual(30);
      expect(seconds).toBeGreaterThan(20);
      expect([refused.status, headersOf(refused)]).toEqual([
        429,
        {
          'retry-after': String(seconds),
          'x-should-retry': 'true',
          'ratelimit-policy': '"account-requests";q=2;w=60',
          ratelimit: `"account-requests";r=0;t=${seconds}`,
          'x-ratelimit-limit-requests': '2',
          'x-ratelimit-remaining-requests': '0',
          'x-ratelimit-reset-requests': `${seconds}s`,
        },
      ]);
      expect(await refused.json()).toMatchObject(error);
    },
  );
});
