/** A prompt that exceeds the context: each official client must recognise the error. */
import Anthropic from '@anthropic-ai/sdk';
import { describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { shareDeployment } from '../support/process/shared-deployment.js';
import type { TestRelay } from '../support/process/test-relay.js';

/** Three tokens each: more in total than the 131,072 that `tiny` was trained for. */
const prompt = 'word '.repeat(45_000);
const messages = [{ role: 'user' as const, content: prompt }];

describe('a prompt that is longer than the context', () => {
  let relay: TestRelay;
  let openai: OpenAI;
  let anthropic: Anthropic;

  shareDeployment((started) => {
    ({ relay } = started);
    openai = new OpenAI({ apiKey: relay.apiKey, baseURL: `${relay.baseUrl}/v1`, maxRetries: 0 });
    anthropic = new Anthropic({ authToken: relay.apiKey, apiKey: null, baseURL: relay.baseUrl, maxRetries: 0 });
  });

  const failureOf = (call: Promise<unknown>): Promise<unknown> =>
    call.then(
      () => new Error('it was answered'),
      (error: unknown) => error,
    );

  it.each([false, true])('is context_length_exceeded for the OpenAI client (stream: %s)', async (stream) => {
    const calls: readonly [string, () => Promise<unknown>, number][] = [
      ['messages', () => openai.chat.completions.create({ model: 'tiny', messages, stream }), 135_009],
      ['input', () => openai.responses.create({ model: 'tiny', input: prompt, stream }), 135_009],
      ['prompt', () => openai.completions.create({ model: 'tiny', prompt, stream }), 135_001],
    ];
    for (const [param, call, tokens] of calls) {
      const error = await failureOf(call());
      expect(error).toBeInstanceOf(OpenAI.BadRequestError);
      expect(error).toMatchObject({ status: 400, code: 'context_length_exceeded', param });
      expect((error as Error).message).toContain('maximum context length is 131072 tokens');
      expect((error as Error).message).toContain(`resulted in ${tokens} tokens`);
    }
  });

  it.each([false, true])('is reported to the Anthropic client in its format (stream: %s)', async (stream) => {
    const error = await failureOf(anthropic.messages.create({ model: 'tiny', max_tokens: 100, messages, stream }));
    expect(error).toBeInstanceOf(Anthropic.BadRequestError);
    expect(error).toMatchObject({
      status: 400,
      error: {
        error: { type: 'invalid_request_error', message: 'prompt is too long: 135009 tokens > 131072 maximum' },
      },
    });
  });
});
