/** The official Anthropic client against the built-in engine, through relay, link and node. */
import Anthropic from '@anthropic-ai/sdk';
import { describe, expect, it } from '@jest/globals';
import { shareDeployment } from '../support/process/shared-deployment.js';
import type { TestRelay } from '../support/process/test-relay.js';

const weather: Anthropic.Tool = {
  name: 'get_weather',
  description: 'Get the weather for a city',
  input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const ask = (content: string): Anthropic.MessageParam[] => [{ role: 'user', content }];

describe('the official Anthropic client', () => {
  let relay: TestRelay;
  let client: Anthropic;

  shareDeployment((started) => {
    ({ relay } = started);
    client = new Anthropic({ authToken: relay.apiKey, apiKey: null, baseURL: relay.baseUrl, maxRetries: 0 });
  });

  const base = { model: 'tiny', max_tokens: 100, temperature: 0 };

  it('gets a message with usage', async () => {
    const message = await client.messages.create({ ...base, messages: ask('Hello') });
    expect(message).toMatchObject({
      id: expect.stringMatching(/^msg_/),
      type: 'message',
      role: 'assistant',
      model: 'tiny',
      content: [{ type: 'text', text: 'Hello! How can I help you today?' }],
      stop_reason: 'end_turn',
      stop_sequence: null,
    });
    // Clients with a strict schema refuse a response in which the field is null.
    expect(message.content[0]).not.toHaveProperty('citations');
    expect(message.usage.input_tokens).toBeGreaterThan(0);
    expect(message.usage.output_tokens).toBeGreaterThan(0);
  });

  it('streams the same, with a helper and by hand', async () => {
    const stream = client.messages.stream({ ...base, messages: ask('Count to 8') });
    const chunks: string[] = [];
    stream.on('text', (text) => chunks.push(text));
    const message = await stream.finalMessage();
    expect(message.content).toMatchObject([{ type: 'text', text: '1, 2, 3, 4, 5, 6, 7, 8' }]);
    expect(chunks.length).toBeGreaterThan(3);
    const types: string[] = [];
    const inputTokens: unknown[] = [];
    for await (const event of await client.messages.create({ ...base, stream: true, messages: ask('Hello') })) {
      if (event.type === 'message_start') inputTokens.push(event.message.usage.input_tokens);
      if (event.type === 'message_delta') {
        inputTokens.push((event.usage.input_tokens ?? 0) + (event.usage.cache_read_input_tokens ?? 0));
      }
      if (types.at(-1) !== event.type) types.push(event.type);
    }
    expect(types).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
    // The tokenizer's exact count from the start, not an estimate.
    expect(inputTokens[0]).toBe(inputTokens[1]);
  });

  it.each<[string, object]>([
    ['a block of a type that there is not', { type: 'hologram', data: 1 }],
    ['the result of a call that was never made', { type: 'tool_result', tool_use_id: 'toolu_x', content: 'sunny' }],
  ])('the official Anthropic client is refused with a 400 for %s', async (_, block) => {
    const messages = [{ role: 'user', content: [block] }] as unknown as Anthropic.MessageParam[];
    await expect(client.messages.create({ ...base, messages })).rejects.toMatchObject({
      status: 400,
      error: { error: { type: 'invalid_request_error' } },
    });
  });

  it('follows the system prompt field in both of its forms', async () => {
    for (const system of [
      'You are a helpful assistant.',
      [{ type: 'text' as const, text: 'You are a helpful assistant.' }],
    ]) {
      const message = await client.messages.create({ ...base, system, messages: ask('Hello') });
      expect(message.content[0]).toMatchObject({ type: 'text' });
    }
  });

  it('calls a tool, streaming and not, and continues with its result', async () => {
    const request = { ...base, tools: [weather], messages: ask('What is the weather in Paris?') };
    const plain = await client.messages.create(request);
    const streamed = await client.messages.stream(request).finalMessage();
    for (const message of [plain, streamed]) {
      expect(message.stop_reason).toBe('tool_use');
      expect(message.content.at(-1)).toMatchObject({ type: 'tool_use', name: 'get_weather', input: { city: 'Paris' } });
    }
    const call = plain.content.at(-1) as Anthropic.ToolUseBlock;
    const response = await client.messages.create({
      ...request,
      messages: [
        ...request.messages,
        { role: 'assistant', content: plain.content },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: call.id, content: 'sunny, 21 degrees' }] },
      ],
    });
    expect(response.stop_reason).toBe('end_turn');
    expect(response.content[0]).toMatchObject({ type: 'text' });
  });

  it('the official Anthropic client has a thinking block with a signature to send back', async () => {
    const message = await client.messages
      .stream({ ...base, max_tokens: 200, messages: ask('Hello /think') })
      .finalMessage();
    const [thinking] = message.content;
    if (thinking?.type !== 'thinking') throw new Error(`no thinking in ${JSON.stringify(message.content)}`);
    expect(thinking.thinking.length).toBeGreaterThan(0);
    expect(thinking.signature.length).toBeGreaterThan(0);
    const next = await client.messages.create({
      ...base,
      messages: [...ask('Hello'), { role: 'assistant', content: message.content }, ...ask('Count to 3')],
    });
    expect(next.stop_reason).toBe('end_turn');
  });

  it('the official Anthropic client has a stop reason', async () => {
    const limited = await client.messages.create({ ...base, max_tokens: 3, messages: ask('Count to 8') });
    expect(limited.stop_reason).toBe('max_tokens');
    const stopped = await client.messages.create({ ...base, stop_sequences: [', 5'], messages: ask('Count to 8') });
    expect(stopped.content).toMatchObject([{ text: '1, 2, 3, 4' }]);
    expect(['stop_sequence', 'end_turn']).toContain(stopped.stop_reason);
  });

  it('raises with the Anthropic error shape', async () => {
    const failure = async (params: Partial<Anthropic.MessageCreateParamsNonStreaming>): Promise<unknown> =>
      client.messages.create({ ...base, messages: ask('Hello'), ...params }).catch((error: unknown) => error);
    expect(await failure({ model: 'absent' })).toMatchObject({
      status: 404,
      error: { type: 'error', error: { type: 'not_found_error' }, request_id: expect.stringMatching(/^req_/) },
    });
    expect(await failure({ messages: [] })).toMatchObject({
      status: 400,
      error: { type: 'error', error: { type: 'invalid_request_error' } },
    });
    const image = { type: 'base64' as const, media_type: 'image/png' as const, data: 'iVBORw0KGgo=' };
    expect(await failure({ messages: [{ role: 'user', content: [{ type: 'image', source: image }] }] })).toMatchObject({
      status: 400,
      error: { error: { type: 'invalid_request_error' } },
    });
    const withoutLimit = await relay.fetch('/v1/messages', {
      method: 'POST',
      body: JSON.stringify({ model: 'tiny', messages: ask('Hello') }),
    });
    expect(withoutLimit.status).toBe(400);
  });

  it('lists the fields that the translation dropped', async () => {
    const response = await relay.fetch('/v1/messages?beta=true', {
      method: 'POST',
      headers: { 'anthropic-version': '2023-06-01', 'anthropic-beta': 'anything-2026' },
      body: JSON.stringify({ ...base, messages: ask('Hello'), service_tier: 'auto', container: 'x' }),
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('x-ferry-translation')).toMatch(/^translated; dropped=.*container/);
  });
});
