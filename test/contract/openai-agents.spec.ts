/** The OpenAI Agents SDK over Responses and Chat Completions, against the built-in engine through relay and node. */
import { describe, expect, it } from '@jest/globals';
import {
  Agent,
  OpenAIChatCompletionsModel,
  OpenAIResponsesModel,
  Runner,
  setTracingDisabled,
  tool,
  type Model,
} from '@openai/agents';
import OpenAI from 'openai';
import { z } from 'zod';
import { shareDeployment } from '../support/process/shared-deployment.js';

const dialects = ['responses', 'chat'] as const;

describe('the OpenAI Agents SDK', () => {
  let models: Record<(typeof dialects)[number], Model>;

  // Traces would be sent to the vendor.
  setTracingDisabled(true);

  shareDeployment(({ relay }) => {
    const client = new OpenAI({ apiKey: relay.apiKey, baseURL: `${relay.baseUrl}/v1`, maxRetries: 0 });
    models = {
      responses: new OpenAIResponsesModel(client, 'tiny'),
      chat: new OpenAIChatCompletionsModel(client, 'tiny'),
    };
  });

  const runner = (): Runner => new Runner({ tracingDisabled: true, modelSettings: { temperature: 0, maxTokens: 200 } });

  it.each(dialects)('runs an agent to completion over %s', async (dialect) => {
    const agent = new Agent({ name: 'Greeter', model: models[dialect] });
    const result = await runner().run(agent, 'Hello');
    expect(result.finalOutput).toBe('Hello! How can I help you today?');
  });

  it.each(dialects)('streams an agent over %s', async (dialect) => {
    const agent = new Agent({ name: 'Counter', model: models[dialect] });
    const result = await runner().run(agent, 'Count to 8', { stream: true });
    const chunks: string[] = [];
    for await (const chunk of result.toTextStream()) chunks.push(chunk);
    await result.completed;
    expect(chunks.join('')).toBe('1, 2, 3, 4, 5, 6, 7, 8');
    expect(chunks.length).toBeGreaterThan(3);
  });

  it.each(dialects)('calls a tool and continues with its result over %s', async (dialect) => {
    const asked: unknown[] = [];
    const weather = tool({
      name: 'get_weather',
      description: 'Get the weather for a city',
      parameters: z.object({ city: z.string() }),
      execute: (input) => {
        asked.push(input);
        return Promise.resolve('{"temperature_c":18,"sky":"cloudy"}');
      },
    });
    const agent = new Agent({ name: 'Forecaster', model: models[dialect], tools: [weather] });
    const result = await runner().run(agent, 'What is the weather in Paris?', { maxTurns: 3 });
    expect(asked).toEqual([{ city: 'Paris' }]);
    expect(result.finalOutput).toMatch(/18|cloudy/);
  });

  it('continues a conversation by previous_response_id', async () => {
    const agent = new Agent({ name: 'Greeter', model: models.responses });
    const first = await runner().run(agent, 'Hello');
    const id = first.lastResponseId;
    if (id === undefined) throw new Error('the first answer carries no response id');
    const second = await runner().run(agent, 'Count to 8', { previousResponseId: id });
    expect(second.finalOutput).toBe('1, 2, 3, 4, 5, 6, 7, 8');
  });
});
