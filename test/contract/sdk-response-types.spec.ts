/**
 * What the official SDKs' own types call required is in every response and event, also of errors and of the model list: typed programs and
 * strict readers rely on it. Compared with the declarations of the packages, so that a new version is looked at when it comes.
 */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { cutMidway, neverEnding } from '../support/client/client-node.js';
import { declaredTypes, type DeclaredType } from '../support/client/declared-types.js';
import { allEvents } from '../support/client/event-stream.js';
import type { FakeEngine } from '../support/engine/fake-engine.js';
import { shareFakeEngine } from '../support/engine/shared-fake-engine.js';
import { shareDeployment } from '../support/process/shared-deployment.js';
import type { Tenant } from '../support/process/tenant.js';
import type { TestRelay } from '../support/process/test-relay.js';

const imports = [
  `import type OpenAI from 'openai';`,
  `import type { ErrorObject } from 'openai/resources/shared';`,
  `import type Anthropic from '@anthropic-ai/sdk';`,
];
const expressions = {
  chat: 'OpenAI.Chat.ChatCompletion',
  chatEvent: 'OpenAI.Chat.ChatCompletionChunk',
  completions: 'OpenAI.Completion',
  responses: 'OpenAI.Responses.Response',
  responsesEvent: 'OpenAI.Responses.ResponseStreamEvent',
  messages: 'Anthropic.Message',
  messagesEvent: `Anthropic.RawMessageStreamEvent | { type: 'ping' }`,
  betaMessages: 'Anthropic.Beta.BetaMessage',
  betaMessagesEvent: `Anthropic.Beta.BetaRawMessageStreamEvent | { type: 'ping' }`,
  model: 'OpenAI.Model',
  anthropicModel: 'Anthropic.ModelInfo',
  openaiError: 'ErrorObject',
  anthropicError: 'Anthropic.ErrorResponse',
  betaAnthropicError: 'Anthropic.Beta.BetaErrorResponse',
  failedResponse: 'OpenAI.Responses.ResponseFailedEvent',
  failedStream: 'OpenAI.Responses.ResponseErrorEvent',
} as const;

type Kind = keyof typeof expressions;
type Json = Record<string, unknown>;

/** What the packages declare and the protocol has otherwise, as path and reason. */
const exceptions: readonly (readonly [kind: Kind, problem: RegExp, reason: string])[] = [
  [
    'completions',
    /^choices\[0\]\.finish_reason: /,
    'null until the last chunk of a stream, for which the SDK has no type of its own',
  ],
  ['responses', /^output_text: missing/, 'put together by the SDK'],
  ['responsesEvent', /^response\.output_text: missing/, 'put together by the SDK'],
  [
    'responsesEvent',
    /^response\.usage: undefined expected/,
    'null before the end, as the schema of OpenResponses requires',
  ],
  ['failedResponse', /^response\.output_text: missing/, 'put together by the SDK'],
  [
    'failedResponse',
    /^response\.usage: undefined expected/,
    'null where no tokens were counted, as the schema requires',
  ],
  ['messages', /^content\[\d+\]\.citations: missing/, 'clients with a strict schema refuse null'],
  ['betaMessages', /^content\[\d+\]\.citations: missing/, 'clients with a strict schema refuse null'],
  ['messagesEvent', /^content_block\.citations: missing/, 'clients with a strict schema refuse null'],
  ['betaMessagesEvent', /^content_block\.citations: missing/, 'clients with a strict schema refuse null'],
  [
    'betaMessagesEvent',
    /^delta\.estimated_tokens: missing/,
    'counts thinking that is not shown; it would be in every event',
  ],
];

const weather = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const reported = (content: string) => [{ role: 'user', content }];
const questions = ['Hello', 'Hello /think', 'What is the weather in Paris?'];

const routes = [
  {
    kind: 'chat',
    events: 'chatEvent',
    path: '/v1/chat/completions',
    body: (prompt: string, stream: boolean) => ({
      messages: reported(prompt),
      tools: [{ type: 'function', function: { name: 'get_weather', parameters: weather } }],
      ...(stream && { stream_options: { include_usage: true } }),
    }),
  },
  {
    kind: 'completions',
    events: 'completions',
    path: '/v1/completions',
    body: (prompt: string) => ({ prompt, max_tokens: 8 }),
  },
  {
    kind: 'responses',
    events: 'responsesEvent',
    path: '/v1/responses',
    body: (input: string) => ({
      input,
      tools: [{ type: 'function', name: 'get_weather', parameters: weather, strict: false }],
    }),
  },
  {
    kind: 'messages',
    events: 'messagesEvent',
    path: '/v1/messages',
    body: (prompt: string) => ({
      max_tokens: 200,
      messages: reported(prompt),
      tools: [{ name: 'get_weather', input_schema: weather }],
    }),
  },
] as const satisfies readonly { readonly kind: Kind; readonly events: Kind; readonly [field: string]: unknown }[];

describe('the types of the official SDKs', () => {
  let relay: TestRelay;
  let tenant: Tenant;
  let engine: FakeEngine;
  let types: Readonly<Record<Kind, DeclaredType>>;

  beforeAll(() => {
    types = declaredTypes(imports, expressions);
  }, 60_000);

  shareDeployment((started) => {
    ({ relay } = started);
  });

  shareFakeEngine((...started) => {
    [tenant, engine] = started;
  });

  const problems = (kind: Kind, value: unknown): readonly string[] =>
    types[kind]
      .problemsOf(value)
      .filter((problem) => !exceptions.some(([of, pattern]) => of === kind && pattern.test(problem)));

  const ask = (path: string, body: object): Promise<Response> =>
    relay.fetch(path, { method: 'POST', body: JSON.stringify({ model: 'tiny', temperature: 0, ...body }) });

  const eventsIn = (text: string): readonly Json[] =>
    text
      .split('\n')
      .filter((line) => line.startsWith('data: {'))
      .map((line) => JSON.parse(line.slice('data: '.length)) as Json);

  it('find what is missing, and what is of another type', () => {
    expect(types.chat.problemsOf({ id: 1, object: 'chat.completion', created: 1, model: 'm', choices: [{}] })).toEqual([
      'id: string expected',
      expect.stringContaining('choices[0].'),
      ...(Array(3).fill(expect.stringContaining('choices[0].')) as string[]),
    ]);
    expect(types.messagesEvent.problemsOf({ type: 'content_block_stop' })).toEqual(['index: missing']);
  });

  describe.each(routes)('on $path', ({ kind, events, path, body }) => {
    it.each(questions)(
      'the types of the official SDKs on $path have all members of a whole answer to “%s”',
      async (question) => {
        const response = await ask(path, body(question, false));
        const result = (await response.json()) as Json;
        expect(response.status).toBe(200);
        expect(problems(kind, result)).toEqual([]);
        if (kind === 'messages') expect(problems('betaMessages', result)).toEqual([]);
      },
    );

    it.each(questions)(
      'the types of the official SDKs on $path have all members of each event of an answer to “%s”',
      async (question) => {
        const response = await ask(path, { ...body(question, true), stream: true });
        const heard = eventsIn(await response.text());
        expect(heard.length).toBeGreaterThan(0);
        const wrong = heard.flatMap((event) => [
          ...problems(events, event),
          ...(kind === 'messages' ? problems('betaMessagesEvent', event) : []),
        ]);
        expect([...new Set(wrong)]).toEqual([]);
      },
    );

    it('the types of the official SDKs on $path have all members of an error', async () => {
      const response = await ask(path, { ...body('Hello', false), model: 'absent' });
      expect(response.status).toBe(404);
      const result = (await response.json()) as Json;
      expect(
        kind === 'messages' ? problems('anthropicError', result) : problems('openaiError', result['error']),
      ).toEqual([]);
    });
  });

  describe('have all members of the events of a stream that fails midway', () => {
    const words = 'the graphics card has run out of memory';
    /** The node writes the end of the first, the relay that of the second. */
    const failures = [
      ['since its engine failed', words],
      ['since it was stopped', 'The request was stopped by a user of the account.'],
    ] as const;
    const cases = routes.flatMap((route) => failures.map(([title, says]) => ({ ...route, title, says })));

    it.each(cases)(
      'have all members of the events of a stream that fails midway have all members of the events of a stream that fails midway on $path, $title',
      async ({ kind, path, body, says }) => {
        engine.respond = says === words ? cutMidway(words) : neverEnding;
        const request = { ...body('Hello', true), model: 'fake', stream: true };
        const response = await tenant.fetch(path, { method: 'POST', body: JSON.stringify(request) });
        if (says !== words)
          await tenant.manage('POST', `/requests/${response.headers.get('x-request-id') ?? ''}/cancel`);
        const heard = eventsIn((await allEvents(response)).join('\n'));
        const failed = kind === 'responses' ? heard.slice(-2) : heard.slice(-1);
        const [first = {}, second = {}] = failed;
        expect(first).toMatchObject(kind === 'responses' ? { message: says } : { error: { message: says } });
        if (kind === 'responses') {
          expect(problems('failedStream', first)).toEqual([]);
          expect(problems('openaiError', first['error'])).toEqual([]);
          expect(second).toMatchObject({ type: 'response.failed', response: { error: { message: says } } });
          expect(problems('failedResponse', second)).toEqual([]);
        } else if (kind === 'messages') {
          expect(problems('anthropicError', first)).toEqual([]);
          expect(problems('betaAnthropicError', first)).toEqual([]);
        } else {
          expect(problems('openaiError', first['error'])).toEqual([]);
        }
      },
    );
  });

  it('the types of the official SDKs have all members of a model', async () => {
    const { data } = (await (await relay.fetch('/v1/models')).json()) as { data: Json[] };
    expect(data.flatMap((model) => problems('model', model))).toEqual([]);
    const other = await relay.fetch('/v1/models', { headers: { 'anthropic-version': '2023-06-01' } });
    const list = (await other.json()) as { data: Json[] };
    expect(list.data.flatMap((model) => problems('anthropicModel', model))).toEqual([]);
    expect(list).toMatchObject({ has_more: false, first_id: expect.any(String), last_id: expect.any(String) });
  });
});
