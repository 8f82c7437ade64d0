/** The official client against a real relay, link and node, with real inference on the built-in engine. */
import { describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { shareDeployment } from '../support/process/shared-deployment.js';
import type { TestRelay } from '../support/process/test-relay.js';

const weatherTool: OpenAI.Chat.Completions.ChatCompletionTool = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'Get the weather for a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};

describe('the official OpenAI client', () => {
  let relay: TestRelay;
  let client: OpenAI;

  shareDeployment((started) => {
    ({ relay } = started);
    client = new OpenAI({ apiKey: relay.apiKey, baseURL: `${relay.baseUrl}/v1`, maxRetries: 0 });
  });

  it('lists the model as loaded, with the fields of the spec', async () => {
    const models = [];
    for await (const model of await client.models.list()) models.push(model);
    expect(models).toEqual([
      {
        id: 'tiny',
        selector: expect.stringMatching(/^mdl_[0-9a-f]{16}$/),
        display_name: 'tiny',
        canonical_name: expect.any(String),
        object: 'model',
        created: expect.any(Number),
        owned_by: 'ferry',
        loaded: true,
        clusters: [{ cluster_id: relay.credentials.cluster_id, loaded: true }],
      },
    ]);
  });

  it('gets a completion with usage', async () => {
    const completion = await client.chat.completions.create({
      model: 'tiny',
      temperature: 0,
      messages: [{ role: 'user', content: 'Hello' }],
    });
    expect(completion).toMatchObject({
      object: 'chat.completion',
      model: 'tiny',
      choices: [
        {
          index: 0,
          finish_reason: 'stop',
          message: { role: 'assistant', content: 'Hello! How can I help you today?' },
        },
      ],
    });
    const { prompt_tokens: input = 0, completion_tokens: output = 0, total_tokens: total } = completion.usage ?? {};
    expect(input).toBeGreaterThan(0);
    expect(output).toBeGreaterThan(0);
    expect(total).toBe(input + output);
  });

  it('accepts the selector or the id, and echoes the requested one', async () => {
    const [model] = (await client.models.list()).data as (OpenAI.Model & { selector: string })[];
    const { selector } = model!;
    const completion = await client.chat.completions.create({
      model: selector,
      temperature: 0,
      messages: [{ role: 'user', content: 'Hello' }],
    });
    expect(completion.model).toBe(selector);
  });

  it('streams the same text in pieces, with one role, one finish reason and no usage unless asked', async () => {
    const stream = await client.chat.completions.create({
      model: 'tiny',
      temperature: 0,
      stream: true,
      messages: [{ role: 'user', content: 'Count to 8' }],
    });
    const chunks = [];
    for await (const chunk of stream) chunks.push(chunk);
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')).toBe('1, 2, 3, 4, 5, 6, 7, 8');
    expect(chunks.filter((chunk) => chunk.choices[0]?.delta.role === 'assistant')).toHaveLength(1);
    expect(chunks.filter((chunk) => chunk.choices[0]?.finish_reason === 'stop')).toHaveLength(1);
    expect(chunks.length).toBeGreaterThan(5);
    expect(new Set(chunks.map((chunk) => chunk.model))).toEqual(new Set(['tiny']));
    expect(chunks.some((chunk) => chunk.usage != null)).toBe(false);
  });

  it('gets the usage at the end of a stream when it asks', async () => {
    const stream = client.chat.completions.stream({
      model: 'tiny',
      temperature: 0,
      stream_options: { include_usage: true },
      messages: [{ role: 'user', content: 'Hello' }],
    });
    const completion = await stream.finalChatCompletion();
    expect(completion.usage?.completion_tokens).toBeGreaterThan(0);
  });

  it('calls a tool, streaming and not, and continues with its result', async () => {
    const question = { role: 'user' as const, content: 'What is the weather in Paris?' };
    const request = { model: 'tiny', temperature: 0, messages: [question], tools: [weatherTool] };
    const plain = await client.chat.completions.create(request);
    const streamed = await client.chat.completions.stream(request).finalChatCompletion();
    for (const { choices } of [plain, streamed]) {
      expect(choices[0]!.finish_reason).toBe('tool_calls');
      const call = choices[0]!.message.tool_calls![0]!;
      if (call.type !== 'function') throw new Error('not a function call');
      expect(call.function.name).toBe('get_weather');
      expect(JSON.parse(call.function.arguments)).toEqual({ city: 'Paris' });
    }
    const message = plain.choices[0]!.message;
    const response = await client.chat.completions.create({
      ...request,
      messages: [
        question,
        message,
        { role: 'tool', tool_call_id: message.tool_calls![0]!.id, content: 'sunny, 21 degrees' },
      ],
    });
    expect(response.choices[0]!.finish_reason).toBe('stop');
    expect(response.choices[0]!.message.content).not.toBe('');
  });

  it('gets output that follows a JSON schema', async () => {
    const completion = await client.chat.completions.create({
      model: 'tiny',
      temperature: 0,
      max_tokens: 100,
      messages: [{ role: 'user', content: 'Give me a city as JSON.' }],
      response_format: {
        type: 'json_schema',
        json_schema: {
          name: 'city',
          strict: true,
          schema: {
            type: 'object',
            properties: { city: { enum: ['Oslo', 'Paris'] }, capital: { type: 'boolean' } },
            required: ['city', 'capital'],
            additionalProperties: false,
          },
        },
      },
    });
    const value = JSON.parse(completion.choices[0]!.message.content ?? '') as Record<string, unknown>;
    expect(['Oslo', 'Paris']).toContain(value['city']);
    expect(typeof value['capital']).toBe('boolean');
    expect(Object.keys(value).sort()).toEqual(['capital', 'city']);
  });

  it('stops at the token limit and at a stop sequence, which is not part of the text', async () => {
    const count = { model: 'tiny', temperature: 0, messages: [{ role: 'user' as const, content: 'Count to 8' }] };
    const limited = await client.chat.completions.create({ ...count, max_tokens: 3 });
    expect(limited.choices[0]!.finish_reason).toBe('length');
    expect(limited.usage?.completion_tokens).toBe(3);
    const stopped = await client.chat.completions.create({ ...count, stop: ', 5' });
    expect(stopped.choices[0]!.finish_reason).toBe('stop');
    expect(stopped.choices[0]!.message.content).toBe('1, 2, 3, 4');
  });

  it('serves many at once without mixing their responses', async () => {
    const texts = await Promise.all(
      Array.from({ length: 12 }, async (_unused, index) => {
        const until = (index % 6) + 3;
        const completion = await client.chat.completions
          .stream({ model: 'tiny', temperature: 0, messages: [{ role: 'user', content: `Count to ${until}` }] })
          .finalChatCompletion();
        return [until, completion.choices[0]!.message.content] as const;
      }),
    );
    for (const [until, text] of texts) {
      expect(text).toBe(Array.from({ length: until }, (_unused, index) => index + 1).join(', '));
    }
  }, 30_000);
});
