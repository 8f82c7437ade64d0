/** Limits as a client sees them: over HTTP, in the envelope of its dialect. */
import { afterEach, describe, expect, test } from '@jest/globals';
import { InferenceApiHarness } from '../../../test/support/relay/inference-api.harness.js';

const messages = [{ role: 'user', content: 'hi' }];
let app: InferenceApiHarness;

const start = async (): Promise<void> => {
  app = await InferenceApiHarness.start({ FERRY_ACCOUNT_REQUESTS_PER_MINUTE: '3' });
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
  test.each<[string, string, object, object]>([
    [
      'chat',
      '/v1/chat/completions',
      { messages },
      { error: { type: 'rate_limit_error', code: 'rate_limit_exceeded', param: null } },
    ],
    ['messages', '/v1/messages', { messages, max_tokens: 5 }, { error: { type: 'rate_limit_error' } }],
    ['responses', '/v1/responses', { input: 'hi' }, { error: { code: 'rate_limit_exceeded' } }],
  ])(
    'limits of an account on %s: answers have remaining counts, and the 429 has Retry-After',
    async (_, route, fields, error) => {
      await start();
      const responded = await app.post(route, { model: 'tiny', ...fields });
      expect([responded.status, headersOf(responded)]).toEqual([
        200,
        {
          'retry-after': null,
          'x-should-retry': null,
          'ratelimit-policy': '"account-requests";q=3;w=60',
          ratelimit: '"account-requests";r=2;t=20',
          'x-ratelimit-limit-requests': '3',
          'x-ratelimit-remaining-requests': '2',
          'x-ratelimit-reset-requests': '20s',
        },
      ]);
      await responded.text();
      for (const left of ['1', '0']) {
        const next = await app.post(route, { model: 'tiny', ...fields });
        expect([next.status, next.headers.get('x-ratelimit-remaining-requests')]).toEqual([200, left]);
        await next.text();
      }
      const refused = await app.post(route, { model: 'tiny', ...fields });
      // A third of a minute makes one request; what has passed of it between the responses is the machine's.
      const seconds = Number(refused.headers.get('retry-after'));
      expect(seconds).toBeLessThanOrEqual(20);
      expect(seconds).toBeGreaterThan(10);
      const reset = Number(/t=(\d+)$/.exec(refused.headers.get('ratelimit') ?? '')?.[1]);
      expect(reset - seconds).toBeGreaterThanOrEqual(39);
      expect(reset - seconds).toBeLessThanOrEqual(40);
      expect([refused.status, headersOf(refused)]).toEqual([
        429,
        {
          'retry-after': String(seconds),
          'x-should-retry': 'true',
          'ratelimit-policy': '"account-requests";q=3;w=60',
          ratelimit: `"account-requests";r=0;t=${reset}`,
          'x-ratelimit-limit-requests': '3',
          'x-ratelimit-remaining-requests': '0',
          'x-ratelimit-reset-requests': `${reset}s`,
        },
      ]);
      expect(await refused.json()).toMatchObject(error);
    },
  );
});
