import { describe, expect, it } from '@jest/globals';
import { causes, clientMessages } from './client-messages.js';
import { meaningOf } from './find-message.js';

const causeOf = (message: string): string | undefined => {
  const found = meaningOf(message);
  return Object.entries(causes).find(([, { meaning }]) => meaning === found?.meaning)?.[0];
};

describe('the meaning of what a client shows', () => {
  it.each(clientMessages.map(({ client, text, cause }) => [client, text, cause] as const))(
    '%s: %s',
    (client, text, cause) => {
      const shown = text.replaceAll('…', 'qwen3:8b');
      expect(causeOf(shown)).toBe(cause);
      expect(meaningOf(shown)?.clients).toContain(client);
    },
  );

  it.each([
    ['openai.InternalServerError: Error code: 503', 'no_node'],
    ['  Error: 503 no node\n  for user  ', 'no_node'],
    ['com.openai.errors.UnauthorizedException: 401: null', 'credential'],
    ['AI_APICallError: Unauthorized', 'credential'],
    ['Post "http://127.0.0.1:9/v1/chat/completions": dial tcp 127.0.0.1:9: connect: connection refused', 'unreachable'],
    ['"Connection error."', 'unreachable'],
  ])('the meaning of what a client shows is found in a message as it is copied: %s', (message, cause) => {
    expect(causeOf(message)).toBe(cause);
  });

  it.each([
    ['Error code: 503 - The engine failed', undefined],
    ['Error code: 401 from another service', undefined],
    ['API Error: 503 overloaded_x', undefined],
    ['it does not work', undefined],
  ])(
    'the meaning of what a client shows is not guessed where the relay has said something else: %s',
    (message, cause) => {
      expect(causeOf(message)).toBe(cause);
    },
  );

  it('the meaning of what a client shows is that of the error code where the words are unknown', () => {
    expect(meaningOf("Error code: 400 - {'code': 'context_length_exceeded'}")).toMatchObject({
      clients: [],
      meaning: expect.stringContaining('Ferry answered 400 `context_length_exceeded`: '),
    });
    expect(meaningOf('my_context_length_exceeded_flag')).toBeUndefined();
  });
});
