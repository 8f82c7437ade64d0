/** The official clients, and a node that refuses their request as too long: before the response begins, and after it had to. */
import Anthropic from '@anthropic-ai/sdk';
import { afterEach, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import OpenAI from 'openai';
import { dialects } from '../../../src/kernel/dialect.js';
import { InferenceApiHarness } from '../../support/relay/inference-api.harness.js';

const COMMIT_MS = 100;
const refusal = {
  code: 'engine_rejected_request',
  status: 400,
  context_overflow: { prompt_tokens: 20_551, max_tokens: null, context_tokens: 8_192 },
} as const;

let app: InferenceApiHarness | undefined;
afterEach(async () => {
  await app?.close();
  app = undefined;
});

async function refusing(afterMs = 0): Promise<string> {
  app = await InferenceApiHarness.start({ FERRY_STREAM_COMMIT_MS: String(COMMIT_MS) });
  app.addNode('a', { models: [{ dialects: [...dialects] }] });
  app.play((stream) => {
    stream.ack();
    void delay(afterMs).then(() => {
      stream.end('failed', refusal);
    });
  });
  return app.url;
}

const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => new Error('it was answered'),
    (error: unknown) => error,
  );
const openaiAt = (url: string): OpenAI => new OpenAI({ apiKey: 'test', baseURL: `${url}/v1`, maxRetries: 0 });
const anthropicAt = (url: string): Anthropic =>
  new Anthropic({ authToken: 'test', apiKey: null, baseURL: url, maxRetries: 0 });

const model = 'tiny';
const messages = [{ role: 'user' as const, content: 'hi' }];
const openaiCalls: readonly [string, string, (client: OpenAI, stream: boolean) => Promise<unknown>][] = [
  ['chat', 'messages', ({ chat }, stream) => chat.completions.create({ model, messages, stream })],
  ['responses', 'input', ({ responses }, stream) => responses.create({ model, input: 'hi', stream })],
  ['completions', 'prompt', ({ completions }, stream) => completions.create({ model, prompt: 'hi', stream })],
];

describe('a prompt that is longer than the context', () => {
  describe.each(openaiCalls)('for the OpenAI client on %s', (_, param, call) => {
    it.each([false, true])('is a BadRequestError with the code that clients look for (stream: %s)', async (stream) => {
      const error = await failureOf(call(openaiAt(await refusing()), stream));
      expect(error).toBeInstanceOf(OpenAI.BadRequestError);
      expect(error).toMatchObject({
        status: 400,
        code: 'context_length_exceeded',
        type: 'invalid_request_error',
        param,
      });
      expect((error as Error).message).toContain("This model's maximum context length is 8192 tokens");
      expect((error as Error).message).toContain('resulted in 20551 tokens');
    });
  });

  it.each([false, true])('is reported to the Anthropic client in its format (stream: %s)', async (stream) => {
    const client = anthropicAt(await refusing());
    const error = await failureOf(client.messages.create({ model, max_tokens: 100, messages, stream }));
    expect(error).toBeInstanceOf(Anthropic.BadRequestError);
    expect(error).toMatchObject({
      status: 400,
      error: { error: { type: 'invalid_request_error', message: 'prompt is too long: 20551 tokens > 8192 maximum' } },
    });
  });

  it('a prompt that is longer than the context is reported within a stream that has begun', async () => {
    const chat = openaiAt(await refusing(COMMIT_MS * 5));
    expect(await failureOf(chat.chat.completions.stream({ model, messages }).finalChatCompletion())).toMatchObject({
      code: 'context_length_exceeded',
      param: 'messages',
    });
    await app?.close();
    const anthropic = anthropicAt(await refusing(COMMIT_MS * 5));
    const stream = anthropic.messages.stream({ model, max_tokens: 100, messages });
    expect(String(await failureOf(stream.finalMessage()))).toContain('prompt is too long: 20551 tokens > 8192 maximum');
  });
});
