/** A conversation whose agent appends a system message to every turn: the engine reads only what is new. */
import Anthropic from '@anthropic-ai/sdk';
import { describe, expect, it } from '@jest/globals';
import { shareDeployment } from '../support/process/shared-deployment.js';

describe('the second turn of an agent', () => {
  let anthropic: Anthropic;

  shareDeployment(({ relay }) => {
    anthropic = new Anthropic({ authToken: relay.apiKey, apiKey: null, baseURL: relay.baseUrl, maxRetries: 0 });
  });

  const paragraph =
    'The agent reads this paragraph once, and must not be given it to read again in a later turn. '.repeat(10);

  it('finds the whole prompt of the first one read, also behind the system messages between them', async () => {
    const turn = (response: string, left: number): object[] => [
      { role: 'assistant', content: response },
      { role: 'user', content: `Go on with step ${left}.` },
      { role: 'system', content: `${left} tokens left` },
    ];
    const first = [
      { role: 'user', content: paragraph },
      { role: 'system', content: '900 tokens left' },
    ];
    const ask = async (messages: object[]): Promise<{ input: number; cached: number }> => {
      const { usage } = await anthropic.messages.create({
        model: 'tiny',
        max_tokens: 1,
        system: 'You are an agent.',
        messages: messages as unknown as Anthropic.MessageParam[],
      });
      const cached = usage.cache_read_input_tokens ?? 0;
      return { input: usage.input_tokens + cached, cached };
    };
    const before = await ask(first);
    const after = await ask([...first, ...turn('Done.', 800)]);
    expect(before.input).toBeGreaterThan(150);
    // A few tokens at the end of a prompt, which ask for the response, are not those of the response that the client sends back.
    expect(after.cached).toBeGreaterThan(before.input - 20);
    expect(after.input).toBeGreaterThan(before.input);
  });
});
