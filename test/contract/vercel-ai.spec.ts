/** Vercel's AI SDK with its providers, each in its own dialect, against the built-in engine through relay, link and node. */
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { describe, expect, it } from '@jest/globals';
import { createAnthropic as createAnthropic3 } from 'ai-sdk-anthropic-3';
import { generateText, jsonSchema, Output, stepCountIs, streamText, tool, type LanguageModel } from 'ai';
import { shareDeployment } from '../support/process/shared-deployment.js';
import type { TestRelay } from '../support/process/test-relay.js';

const providers = ['openai (responses)', 'openai (chat)', 'openai-compatible', 'anthropic', 'anthropic 3'] as const;

describe('the AI SDK', () => {
  let relay: TestRelay;
  let models: Record<(typeof providers)[number], LanguageModel>;

  shareDeployment((started) => {
    ({ relay } = started);
    const options = { apiKey: relay.apiKey, baseURL: `${relay.baseUrl}/v1` };
    models = {
      'openai (responses)': createOpenAI(options)('tiny'),
      'openai (chat)': createOpenAI(options).chat('tiny'),
      'openai-compatible': createOpenAICompatible({ ...options, name: 'ferry', supportsStructuredOutputs: true })(
        'tiny',
      ),
      anthropic: createAnthropic({ authToken: relay.apiKey, baseURL: options.baseURL })('tiny'),
      'anthropic 3': createAnthropic3({ authToken: relay.apiKey, baseURL: options.baseURL })('tiny'),
    };
  });

  const settings = { temperature: 0, maxOutputTokens: 200, maxRetries: 0 };

  it.each(providers)('generates text through %s', async (provider) => {
    const { text, finishReason, usage } = await generateText({ ...settings, model: models[provider], prompt: 'Hello' });
    expect(text).toBe('Hello! How can I help you today?');
    expect(finishReason).toBe('stop');
    expect(usage.outputTokens).toBeGreaterThan(0);
  });

  it.each(providers)('streams text through %s', async (provider) => {
    const result = streamText({
      ...settings,
      model: models[provider],
      prompt: 'Count to 8',
      onError: ({ error }) => {
        throw error;
      },
    });
    const chunks: string[] = [];
    for await (const chunk of result.textStream) chunks.push(chunk);
    expect(chunks.join('')).toBe('1, 2, 3, 4, 5, 6, 7, 8');
    expect(chunks.length).toBeGreaterThan(3);
    expect(await result.finishReason).toBe('stop');
  });

  it.each(providers)('stops at the limit through %s', async (provider) => {
    const { finishReason } = await generateText({
      ...settings,
      maxOutputTokens: 3,
      model: models[provider],
      prompt: 'Count to 8',
    });
    expect(finishReason).toBe('length');
  });

  it.each(providers)('runs a tool and continues with its result through %s', async (provider) => {
    const asked: unknown[] = [];
    const { text, steps } = await generateText({
      ...settings,
      model: models[provider],
      prompt: 'What is the weather in Paris?',
      stopWhen: stepCountIs(2),
      tools: {
        get_weather: tool({
          description: 'Get the weather for a city',
          inputSchema: jsonSchema<{ city: string }>({
            type: 'object',
            properties: { city: { type: 'string' } },
            required: ['city'],
          }),
          execute: (input) => {
            asked.push(input);
            return 'sunny, 21 degrees';
          },
        }),
      },
    });
    expect(asked[0]).toEqual({ city: 'Paris' });
    expect(steps[0]?.finishReason).toBe('tool-calls');
    expect(typeof text).toBe('string');
  });

  it.each(providers)('returns an object that follows a schema through %s', async (provider) => {
    const { output } = await generateText({
      ...settings,
      model: models[provider],
      prompt: 'Give me a city as JSON.',
      output: Output.object({
        schema: jsonSchema<{ city: string }>({
          type: 'object',
          properties: { city: { type: 'string', enum: ['Oslo', 'Paris'] } },
          required: ['city'],
          additionalProperties: false,
        }),
      }),
    });
    expect(['Oslo', 'Paris']).toContain(output.city);
  });

  it.each(providers)('raises when the model does not exist through %s', async (provider) => {
    const absent = {
      'openai (responses)': createOpenAI({ apiKey: relay.apiKey, baseURL: `${relay.baseUrl}/v1` })('absent'),
      'openai (chat)': createOpenAI({ apiKey: relay.apiKey, baseURL: `${relay.baseUrl}/v1` }).chat('absent'),
      'openai-compatible': createOpenAICompatible({
        apiKey: relay.apiKey,
        baseURL: `${relay.baseUrl}/v1`,
        name: 'ferry',
      })('absent'),
      anthropic: createAnthropic({ authToken: relay.apiKey, baseURL: `${relay.baseUrl}/v1` })('absent'),
      'anthropic 3': createAnthropic3({ authToken: relay.apiKey, baseURL: `${relay.baseUrl}/v1` })('absent'),
    }[provider];
    await expect(generateText({ ...settings, model: absent, prompt: 'Hello' })).rejects.toMatchObject({
      statusCode: 404,
    });
  });
});
