import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../kernel/json-object.js';
import type { ToChatOptions } from '../translation.js';
import { responsesToChat } from './to-chat.js';

const translate = (fields: JsonObject, options: Partial<ToChatOptions> = {}) =>
  responsesToChat({ model: 'tiny', input: 'hi', ...fields }, { earlier: [], ...options });

describe('settings', () => {
  const settings = (fields: JsonObject, options: Partial<ToChatOptions> = {}) => {
    const { body, dropped } = translate(fields, options);
    const own = Object.entries(body).filter(([name]) => !['model', 'messages', 'stream', 'tools'].includes(name));
    return { fields: Object.fromEntries(own), dropped };
  };

  test.each<[string, JsonObject, JsonObject]>([
    [
      'sampling keeps its names',
      { temperature: 0, top_p: 0.5, top_k: 3, min_p: 0.1, seed: 7, stop: ['x'] },
      { temperature: 0, top_p: 0.5, top_k: 3, min_p: 0.1, seed: 7, stop: ['x'] },
    ],
    [
      'penalties keep their names',
      { frequency_penalty: 1, presence_penalty: 1, repetition_penalty: 1.1 },
      { frequency_penalty: 1, presence_penalty: 1, repetition_penalty: 1.1 },
    ],
    [
      'null is nothing',
      { temperature: null, stop: null, text: null, reasoning: null, max_output_tokens: null, truncation: null },
      {},
    ],
    ['the limit', { max_output_tokens: 5 }, { max_tokens: 5 }],
    ['plain text', { text: { format: { type: 'text' } } }, {}],
    ['any JSON', { text: { format: { type: 'json_object' } } }, { response_format: { type: 'json_object' } }],
    [
      'a JSON schema',
      {
        text: {
          format: { type: 'json_schema', name: 'x', description: 'y', schema: { type: 'object' }, strict: true },
        },
      },
      {
        response_format: {
          type: 'json_schema',
          json_schema: { name: 'x', description: 'y', schema: { type: 'object' }, strict: true },
        },
      },
    ],
    [
      'a nameless JSON schema',
      { text: { format: { type: 'json_schema', schema: {}, strict: null, description: null } } },
      { response_format: { type: 'json_schema', json_schema: { name: 'response', schema: {} } } },
    ],
    ['effort none', { reasoning: { effort: 'none' } }, { reasoning_effort: 'none' }],
    ['effort minimal', { reasoning: { effort: 'minimal' } }, { reasoning_effort: 'low' }],
    ['effort low', { reasoning: { effort: 'low' } }, { reasoning_effort: 'low' }],
    ['effort medium', { reasoning: { effort: 'medium', summary: 'auto' } }, { reasoning_effort: 'medium' }],
    ['effort high', { reasoning: { effort: 'high' } }, { reasoning_effort: 'high' }],
    ['effort xhigh', { reasoning: { effort: 'xhigh' } }, { reasoning_effort: 'high' }],
    ['effort max', { reasoning: { effort: 'max' } }, { reasoning_effort: 'high' }],
    ['logprobs', { top_logprobs: 3 }, { logprobs: true, top_logprobs: 3 }],
    ['included logprobs', { include: ['message.output_text.logprobs'], top_logprobs: 0 }, { logprobs: true }],
    [
      'what only the engine knows',
      { chat_template_kwargs: { enable_thinking: false }, keep_alive: '5m' },
      { chat_template_kwargs: { enable_thinking: false }, keep_alive: '5m' },
    ],
    [
      'what only the relay and the client know',
      { metadata: { a: '1' }, store: true, background: false, truncation: 'disabled', service_tier: 'auto' },
      {},
    ],
    [
      'fields of chat do not reach past the translation',
      { n: 4, messages: [], functions: [{}], max_tokens: 1, response_format: {} },
      {},
    ],
  ])('%s', (_, fields, expected) => {
    expect(settings(fields)).toEqual({ fields: expected, dropped: [] });
  });

  test('a stream always asks for its usage', () => {
    expect(translate({ stream: true }).body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
    expect(translate({ stream: true, stream_options: { include_obfuscation: false } }).body).toMatchObject({
      stream_options: { include_usage: true },
    });
    expect(translate({}).body).toMatchObject({ model: 'tiny', stream: false });
  });

  test.each<[string, JsonObject, string]>([
    ['max_tool_calls', { max_tool_calls: 2 }, 'max_tool_calls'],
    ['truncation', { truncation: 'auto' }, 'truncation'],
    ['service_tier', { service_tier: 'flex' }, 'service_tier'],
    ['prompt_cache_key', { prompt_cache_key: 'k' }, 'prompt_cache_key'],
    ['safety_identifier', { safety_identifier: 's' }, 'safety_identifier'],
    ['user', { user: 'u' }, 'user'],
    ['client_metadata', { client_metadata: {} }, 'client_metadata'],
    ['verbosity', { text: { verbosity: 'low' } }, 'text.verbosity'],
    ['include of hosted tools', { include: ['reasoning.encrypted_content', 'web_search_call.results'] }, 'include[1]'],
    ['effort that nobody knows', { reasoning: { effort: 'heroic' } }, 'reasoning.effort'],
    ['hosted tools', { tools: [{ type: 'function', name: 'f' }, { type: 'web_search' }] }, 'tools[1]'],
  ])('%s is dropped and reported', (_, fields, path) => {
    expect(settings(fields).dropped).toEqual([path]);
  });

  test('effort is removed for a model without reasoning, where none is the only behaviour', () => {
    expect(settings({ reasoning: { effort: 'high' } }, { reasoning: false })).toEqual({
      fields: {},
      dropped: ['reasoning.effort'],
    });
    expect(settings({ reasoning: { effort: 'none' } }, { reasoning: false })).toEqual({ fields: {}, dropped: [] });
    expect(settings({ reasoning: { effort: 'high' } }, { reasoning: null }).fields).toEqual({
      reasoning_effort: 'high',
    });
  });

  test('the list of dropped fields never exceeds the size limit of the link', () => {
    const input = Array.from({ length: 500 }, () => ({ type: 'acme:telemetry' }));
    expect(translate({ input: [...input, { role: 'user', content: 'hi' }] }).dropped).toHaveLength(64);
  });
});
