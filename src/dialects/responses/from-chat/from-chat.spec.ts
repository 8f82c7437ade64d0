import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../kernel/json-object.js';
import { assertResponseResource } from '../../../../test/support/client/openresponses-schema.js';
import { responseContext, CREATED_AT_SECONDS } from '../../../../test/support/engine/responses-responses.js';
import { reasoningText } from '../reasoning-replay.js';
import { responseFromChat } from './from-chat.js';

const responseOf = (message: JsonObject, finishReason: string | null = 'stop', fields: JsonObject = {}) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  model: '/models/secret.gguf',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finishReason, ...fields }],
});

function respond(result: JsonObject, request: JsonObject = {}) {
  const response = responseFromChat(result, responseContext(request));
  assertResponseResource(JSON.parse(JSON.stringify(response)));
  return response;
}

const calls = [
  { id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } },
  { id: 'c2', type: 'function', function: { name: 'g', arguments: '' } },
];

describe('a whole answer', () => {
  test('text', () => {
    const response = { ...responseOf({ content: 'Hello' }), usage: { prompt_tokens: 3, completion_tokens: 4 } };
    expect(respond(response)).toMatchObject({
      id: 'resp_1',
      model: 'tiny',
      status: 'completed',
      created_at: CREATED_AT_SECONDS,
      completed_at: CREATED_AT_SECONDS,
      output: [{ type: 'message', status: 'completed', content: [{ type: 'output_text', text: 'Hello' }] }],
      usage: { input_tokens: 3, output_tokens: 4, total_tokens: 7 },
    });
  });

  test('reasoning, then the message, then the calls', () => {
    const { output } = respond(responseOf({ tool_calls: calls, content: 'Look:', reasoning: 'hm' }, 'tool_calls'));
    expect(output).toMatchObject([
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }] },
      { type: 'message', content: [{ text: 'Look:' }] },
      { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{"a":1}', status: 'completed' },
      { type: 'function_call', call_id: 'c2', name: 'g', arguments: '{}', status: 'completed' },
    ]);
  });

  test('calls without a text have no message beside them', () => {
    expect(respond(responseOf({ tool_calls: calls, content: null }, 'stop')).output).toHaveLength(2);
  });

  test.each([
    ['reasoning_content', { reasoning_content: 'hm' }],
    ['reasoning', { reasoning: 'hm' }],
    ['reasoning_text', { reasoning_text: 'hm' }],
    ['two names for one thought', { reasoning: 'hm', reasoning_content: 'hm' }],
  ])('reasoning as %s', (_, message) => {
    expect(respond(responseOf({ ...message, content: 'a' })).output).toMatchObject([
      { type: 'reasoning', summary: [{ text: 'hm' }] },
      { type: 'message' },
    ]);
  });

  test('a refusal', () => {
    expect(respond(responseOf({ content: null, refusal: 'no' })).output).toMatchObject([
      { type: 'message', content: [{ type: 'refusal', refusal: 'no' }] },
    ]);
  });

  test('an empty answer is an empty message', () => {
    expect(respond(responseOf({ content: null })).output).toMatchObject([{ type: 'message', content: [{ text: '' }] }]);
  });

  test.each([
    ['stop', 'completed', null],
    ['tool_calls', 'completed', null],
    ['function_call', 'completed', null],
    ['something new', 'completed', null],
    [null, 'completed', null],
    ['length', 'incomplete', { reason: 'max_output_tokens' }],
    ['content_filter', 'incomplete', { reason: 'content_filter' }],
  ])('finish reason %s', (finishReason, status, incomplete_details) => {
    expect(respond(responseOf({ content: 'a' }, finishReason))).toMatchObject({
      status,
      incomplete_details,
      output: [{ status }],
    });
  });

  test('choices after the first are ignored', () => {
    const { choices } = responseOf({ content: 'a' });
    const response = respond({ choices: [{ index: 1, message: { content: 'b' } }, ...choices] });
    expect(response.output).toMatchObject([{ content: [{ text: 'a' }] }]);
  });

  test.each([{}, { choices: [] }, { choices: 'none' }, { error: 'Unexpected endpoint or method.' }])(
    '%j is no answer',
    (response) => {
      expect(() => responseFromChat(response, responseContext())).toThrow(
        expect.objectContaining({ code: 'engine_error' }),
      );
    },
  );
});

describe('log probabilities', () => {
  const entries = [
    {
      token: 'ä',
      logprob: -0.1,
      bytes: null,
      top_logprobs: [{ token: 'ä', logprob: -0.1, bytes: [195, 164] }, { token: 5 }],
    },
    { token: 'b', logprob: -0.2, id: 7 },
    'junk',
  ];
  const response = responseOf({ content: 'äb' }, 'stop', { logprobs: { content: entries } });

  test('log probabilities have the bytes of every token, whether the engine tells them or not', () => {
    expect(respond(response, { top_logprobs: 1 }).output).toMatchObject([
      {
        content: [
          {
            logprobs: [
              {
                token: 'ä',
                logprob: -0.1,
                bytes: [195, 164],
                top_logprobs: [{ token: 'ä', logprob: -0.1, bytes: [195, 164] }],
              },
              { token: 'b', logprob: -0.2, bytes: [98], top_logprobs: [] },
            ],
          },
        ],
      },
    ]);
  });

  test('log probabilities are sent only on request', () => {
    expect(respond(response).output).toMatchObject([{ content: [{ logprobs: [] }] }]);
  });
});

test('reasoning is packed into encrypted_content and can be read back', () => {
  const response = responseOf({ reasoning: 'grüß', content: 'a' });
  const [packed] = respond(response, { include: ['reasoning.encrypted_content'] }).output;
  expect(reasoningText({ ...packed, summary: [] })).toBe('grüß');
  expect(respond(response).output[0]).not.toHaveProperty('encrypted_content');
});
