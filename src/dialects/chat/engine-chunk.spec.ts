import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { JsonObject } from '../../kernel/json-object.js';
import { readEngineResponse, readEngineChunk, readEngineUsage } from './engine-chunk.js';

const delta = (fields: JsonObject) => readEngineChunk({ choices: [{ index: 0, delta: fields, finish_reason: null }] });
const nothing = { reasoning: '', text: '', refusal: '', toolCalls: [], logprobs: [], finishReason: null };

describe('parts of an answer in a chunk', () => {
  test.each<[string, JsonObject, object]>([
    ['a text', { content: 'a' }, { text: 'a' }],
    [
      'a text in parts',
      {
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
      { text: 'ab' },
    ],
    ['a refusal', { refusal: 'no' }, { refusal: 'no' }],
    ['reasoning of llama.cpp and LM Studio', { reasoning_content: 'a' }, { reasoning: 'a' }],
    ['reasoning of Ollama and vLLM', { reasoning: 'a' }, { reasoning: 'a' }],
    ['reasoning under a third name', { reasoning_text: 'a' }, { reasoning: 'a' }],
    ['one thought under two names', { reasoning: 'a', reasoning_content: 'a' }, { reasoning: 'a' }],
    ['a role', { role: 'assistant', content: '' }, {}],
    ['a keep-alive', {}, {}],
    ['null everywhere', { content: null, reasoning: null, tool_calls: null, refusal: null, function_call: null }, {}],
    ['an empty list of calls', { tool_calls: [] }, {}],
    [
      'a call',
      { tool_calls: [{ index: 1, id: 'c', type: 'function', function: { name: 'f', arguments: '{' } }] },
      { toolCalls: [{ index: 1, id: 'c', name: 'f', arguments: '{' }] },
    ],
    [
      'a call with arguments as an object',
      { tool_calls: [{ index: 0, function: { arguments: { a: 1 } } }] },
      { toolCalls: [{ index: 0, id: '', name: '', arguments: '{"a":1}' }] },
    ],
    [
      'a call without index and id',
      { tool_calls: [{ function: { name: 'f' } }] },
      { toolCalls: [{ index: null, id: '', name: 'f', arguments: '' }] },
    ],
    [
      'a call in the old field',
      { function_call: { name: 'f', arguments: '{}' } },
      { toolCalls: [{ index: 0, id: '', name: 'f', arguments: '{}' }] },
    ],
  ])('%s', (_, fields, expected) => {
    expect(delta(fields)).toEqual({ ...nothing, ...expected });
  });

  test('the finish reason, and log probabilities beside the text', () => {
    const choice = { delta: { content: 'a' }, logprobs: { content: [{ token: 'a' }] }, finish_reason: 'stop' };
    expect(readEngineChunk({ choices: [choice] })).toEqual({
      ...nothing,
      text: 'a',
      logprobs: [{ token: 'a' }],
      finishReason: 'stop',
    });
  });

  test('a whole message where a delta belongs', () => {
    expect(readEngineChunk({ choices: [{ message: { content: 'a' } }] })).toMatchObject({ text: 'a' });
  });

  test('only the first choice is read', () => {
    expect(readEngineChunk({ choices: [{ index: 1, delta: { content: 'b' } }] })).toBeNull();
    expect(readEngineChunk({ choices: [] })).toBeNull();
    expect(readEngineChunk({ error: 'out of memory' })).toBeNull();
  });
});

test('a whole answer is read in the same way; without a choice it is rejected', () => {
  const message = {
    role: 'assistant',
    content: 'a',
    tool_calls: [{ id: 'c', function: { name: 'f', arguments: '' } }],
  };
  expect(readEngineResponse({ choices: [{ index: 0, message, finish_reason: 'stop' }] })).toMatchObject({
    text: 'a',
    toolCalls: [{ index: null, id: 'c', name: 'f', arguments: '' }],
    finishReason: 'stop',
  });
  expect(readEngineResponse({ choices: [] })).toBeNull();
});

describe('usage', () => {
  test.each<[string, unknown, object | null]>([
    ['none', undefined, null],
    ['null', null, null],
    ['without figures', { total_tokens: 5 }, null],
    [
      'plain',
      { prompt_tokens: 1, completion_tokens: 2 },
      { inputTokens: 1, outputTokens: 2, cachedTokens: 0, reasoningTokens: 0 },
    ],
    [
      'with details',
      {
        prompt_tokens: 9,
        completion_tokens: 8,
        prompt_tokens_details: { cached_tokens: 7 },
        completion_tokens_details: { reasoning_tokens: 6 },
      },
      { inputTokens: 9, outputTokens: 8, cachedTokens: 7, reasoningTokens: 6 },
    ],
    [
      'of the prompt alone',
      { prompt_tokens: 1 },
      { inputTokens: 1, outputTokens: 0, cachedTokens: 0, reasoningTokens: 0 },
    ],
    ['of junk', { prompt_tokens: -1, completion_tokens: 1.5 }, null],
  ])('%s', (_, usage, expected) => {
    expect(readEngineUsage({ usage })).toEqual(expected);
  });
});

test('malformed usage is ignored and never throws', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (value, fields) => {
      readEngineChunk({ choices: value });
      readEngineUsage({ usage: value });
      const read = readEngineChunk({ choices: [{ delta: fields, finish_reason: value, logprobs: value }] });
      expect(typeof read?.text).toBe('string');
    }),
  );
});
