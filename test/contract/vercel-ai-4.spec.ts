/** The fourth major of Vercel's AI SDK with the OpenAI provider of its time, as vercel-ai.spec.ts uses the present ones. */
import { describe, expect, it } from '@jest/globals';
import { ai4, createOpenAI1 } from '../../older-clients/clients.js';
import { shareDeployment } from '../support/process/shared-deployment.js';

const { generateObject, generateText, jsonSchema, streamObject, streamText, tool } = ai4;
const providers = ['responses', 'chat'] as const;

describe('the AI SDK 4', () => {
  let model: (provider: (typeof providers)[number], name?: string) => ai4.LanguageModelV1;

  shareDeployment(({ relay }) => {
    const openai = createOpenAI1({ apiKey: relay.apiKey, baseURL: `${relay.baseUrl}/v1`, compatibility: 'strict' });
    model = (provider, name = 'tiny') => openai[provider](name);
  });

  const settings = { temperature: 0, maxTokens: 200, maxRetries: 0 };
  const schema = jsonSchema<{ city: string }>({
    type: 'object',
    properties: { city: { type: 'string', enum: ['Oslo', 'Paris'] } },
    required: ['city'],
    additionalProperties: false,
  });

  it.each(providers)('generates text with usage through %s', async (provider) => {
    const result = await generateText({ ...settings, model: model(provider), prompt: 'Hello' });
    expect(result).toMatchObject({ text: 'Hello! How can I help you today?', finishReason: 'stop' });
    expect(result.usage.completionTokens).toBeGreaterThan(0);
  });

  it.each(providers)('streams text with usage through %s', async (provider) => {
    const result = streamText({
      ...settings,
      model: model(provider),
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
    expect((await result.usage).completionTokens).toBeGreaterThan(0);
  });

  it.each(providers)('stops at the limit through %s', async (provider) => {
    const result = await generateText({ ...settings, maxTokens: 3, model: model(provider), prompt: 'Count to 8' });
    expect(result.finishReason).toBe('length');
  });

  it.each(providers)('runs a tool and continues with its result through %s', async (provider) => {
    const asked: unknown[] = [];
    const { text, steps } = await generateText({
      ...settings,
      model: model(provider),
      prompt: 'What is the weather in Paris?',
      maxSteps: 2,
      tools: {
        get_weather: tool({
          description: 'Get the weather for a city',
          parameters: jsonSchema<{ city: string }>({
            type: 'object',
            properties: { city: { type: 'string' } },
            required: ['city'],
          }),
          execute: (input) => {
            asked.push(input);
            return Promise.resolve('sunny, 21 degrees');
          },
        }),
      },
    });
    expect(asked[0]).toEqual({ city: 'Paris' });
    expect(steps[0]?.finishReason).toBe('tool-calls');
    expect(text).toMatch(/\w/);
  });

  it.each(providers)('gets an object that follows a schema through %s, whole and streamed', async (provider) => {
    const request = { ...settings, model: model(provider), prompt: 'Give me a city as JSON.', schema };
    expect(['Oslo', 'Paris']).toContain((await generateObject(request)).object.city);
    const streamed = streamObject(request);
    const partial: unknown[] = [];
    // The object is there once its parts have been read.
    for await (const part of streamed.partialObjectStream) partial.push(part);
    expect(await streamed.object).toEqual(partial.at(-1));
    expect(['Oslo', 'Paris']).toContain((await streamed.object).city);
  });

  it.each(providers)('raises with words when the model does not exist through %s', async (provider) => {
    const failure = generateText({ ...settings, model: model(provider, 'absent'), prompt: 'Hello' });
    await expect(failure).rejects.toMatchObject({ statusCode: 404, message: expect.stringContaining('absent') });
  });
});
