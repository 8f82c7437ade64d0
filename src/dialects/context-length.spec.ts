import { describe, expect, it } from '@jest/globals';
import { contextLengthExceeded } from './context-length.js';

const excess = { promptTokens: 20_551, maxTokens: null, contextTokens: 8_192 };

describe('a request that is longer than the context', () => {
  it.each([
    ['chat', 'messages'],
    ['completions', 'prompt'],
    ['responses', 'input'],
    ['messages', 'messages'],
  ] as const)(
    'a request that is longer than the context is a 400 with a code of its own on %s, and names %s',
    (dialect, param) => {
      expect(contextLengthExceeded(dialect, excess)).toMatchObject({
        code: 'context_length_exceeded',
        status: 400,
        param,
        shouldRetry: false,
      });
    },
  );

  it("a request that is longer than the context is reported to OpenAI clients with OpenAI's message", () => {
    expect(contextLengthExceeded('responses', excess).message).toBe(
      "This model's maximum context length is 8192 tokens. However, your input resulted in 20551 tokens. Please reduce the length of the input.",
    );
    expect(contextLengthExceeded('chat', { promptTokens: 8_000, maxTokens: 1_000, contextTokens: 8_192 }).message).toBe(
      "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens (8000 in the messages, " +
        '1000 in the completion). Please reduce the length of the messages or completion.',
    );
  });

  it('a request that is longer than the context is reported to Anthropic clients with the message that Claude Code matches', () => {
    expect(contextLengthExceeded('messages', excess).message).toBe('prompt is too long: 20551 tokens > 8192 maximum');
    expect(
      contextLengthExceeded('messages', { promptTokens: 8_000, maxTokens: 32_000, contextTokens: 8_192 }).message,
    ).toBe('input length and `max_tokens` exceed context limit: 8000 + 32000 > 8192');
  });

  it.each([
    ['nobody has counted', null],
    ['the count is a rough one', 7_000],
  ])('never reports a prompt size that would fit, also where %s', (_, promptTokens) => {
    expect(contextLengthExceeded('messages', { ...excess, promptTokens }).message).toBe(
      'prompt is too long: at least 8193 tokens > 8192 maximum',
    );
    expect(contextLengthExceeded('chat', { ...excess, promptTokens }).message).toContain('at least 8193 tokens');
  });

  it('omits unknown numbers', () => {
    const unknown = { promptTokens: null, maxTokens: null, contextTokens: null };
    expect(contextLengthExceeded('messages', unknown).message).toBe('prompt is too long');
    expect(contextLengthExceeded('chat', unknown).message).toContain('maximum context length');
  });
});
