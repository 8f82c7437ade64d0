import { describe, expect, it } from '@jest/globals';
import type { EngineObject } from '../engine.js';
import { responseOf, chunksOf } from './response-forms.js';

const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
const chat: EngineObject = {
  id: 'x',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: 'a',
        reasoning_content: 'r',
        tool_calls: [
          { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } },
          { id: 'd', type: 'function', function: { name: 'g', arguments: '{"x":1}' } },
        ],
      },
      logprobs: { content: [{ token: 'a', logprob: 0 }] },
      finish_reason: 'tool_calls',
    },
    { index: 1, message: { role: 'assistant', content: 'b' }, finish_reason: 'length' },
  ],
  usage,
};
const text: EngineObject = {
  id: 'x',
  object: 'text_completion',
  choices: [{ index: 0, text: 'a', finish_reason: 'stop' }],
  usage,
};

describe('a whole answer', () => {
  it.each([
    ['chat', chat],
    ['completions', text],
  ] as const)('a whole answer of %s says the same in chunks', (route, response) => {
    const chunks = chunksOf(response, route);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage });
    expect(responseOf(chunks, route)).toEqual(response);
  });

  it('joins the fragments of texts, log probabilities and arguments', () => {
    const part = (delta: object, more: object = {}): EngineObject => ({
      id: 'x',
      choices: [{ index: 0, delta, finish_reason: null, ...more }],
    });
    const logprobs = (token: string): object => ({ logprobs: { content: [{ token }] } });
    const response = responseOf(
      [
        part({ role: 'assistant', content: 'a' }, logprobs('a')),
        part({ role: 'assistant', content: 'b' }, logprobs('b')),
        part({ tool_calls: [{ index: 0, id: 'c', type: 'function', function: { name: 'f', arguments: '' } }] }),
        part({ tool_calls: [{ index: 0, function: { arguments: '{"x":' } }] }),
        part({ tool_calls: [{ index: 0, function: { arguments: '1}' } }] }, { finish_reason: 'tool_calls' }),
      ],
      'chat',
    );
    expect(response).toMatchObject({
      object: 'chat.completion',
      choices: [
        {
          message: {
            role: 'assistant',
            content: 'ab',
            tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{"x":1}' } }],
          },
          logprobs: { content: [{ token: 'a' }, { token: 'b' }] },
          finish_reason: 'tool_calls',
        },
      ],
    });
  });

  it('a whole answer is none without a choice', () => {
    expect(responseOf([], 'chat')).toBeUndefined();
    expect(responseOf([{ id: 'x', choices: [], usage }], 'chat')).toBeUndefined();
  });
});
