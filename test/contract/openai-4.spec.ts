/** The fourth major of the official OpenAI client, which many programs still use, as test/e2e/openai-client.spec.ts uses the present one. */
import { afterAll, describe, expect, it } from '@jest/globals';
import { OpenAI4 } from '../../older-clients/clients.js';
import { FakeEngine } from '../support/engine/fake-engine.js';
import { full, raises, TEXT } from '../support/engine/misbehaviours.js';
import { shareDeployment, shareRelay } from '../support/process/shared-deployment.js';
import { TestNode } from '../support/process/test-node.js';

const schema = {
  type: 'object',
  properties: { city: { type: 'string', enum: ['Oslo', 'Paris'] } },
  required: ['city'],
  additionalProperties: false,
};
const ask = (content: string): { model: string; temperature: 0; messages: { role: 'user'; content: string }[] } => ({
  model: 'tiny',
  temperature: 0,
  messages: [{ role: 'user', content }],
});

/** The final response of its stream helper has no `output_text`. */
const textOf = ({ output }: OpenAI4.Responses.Response): string =>
  output
    .flatMap((item) => (item.type === 'message' ? item.content : []))
    .map((part) => (part.type === 'output_text' ? part.text : ''))
    .join('');

describe('openai 4', () => {
  let client: OpenAI4;

  shareDeployment(({ relay }) => {
    client = new OpenAI4({ apiKey: relay.apiKey, baseURL: `${relay.baseUrl}/v1`, maxRetries: 0 });
  });

  it('gets a chat answer with usage', async () => {
    const { choices, usage } = await client.chat.completions.create(ask('Hello'));
    expect(choices).toMatchObject([
      { finish_reason: 'stop', message: { role: 'assistant', content: 'Hello! How can I help you today?' } },
    ]);
    expect(usage?.total_tokens).toBe((usage?.prompt_tokens ?? 0) + (usage?.completion_tokens ?? 0));
  });

  it('streams chat, with a helper and by hand, and gets the usage it asks for', async () => {
    const request = { ...ask('Count to 8'), stream_options: { include_usage: true } };
    const collected = await client.beta.chat.completions.stream(request).finalChatCompletion();
    expect(collected.choices[0]?.message.content).toBe('1, 2, 3, 4, 5, 6, 7, 8');
    expect(collected.usage?.completion_tokens).toBeGreaterThan(0);
    const chunks: string[] = [];
    for await (const { choices } of await client.chat.completions.create({ ...request, stream: true }))
      if (choices[0]?.delta.content) chunks.push(choices[0].delta.content);
    expect(chunks.join('')).toBe('1, 2, 3, 4, 5, 6, 7, 8');
    expect(chunks.length).toBeGreaterThan(3);
  });

  it('runs a tool and continues with its result', async () => {
    const asked: unknown[] = [];
    const runner = client.beta.chat.completions.runTools({
      ...ask('What is the weather in Paris?'),
      tools: [
        {
          type: 'function',
          function: {
            name: 'get_weather',
            description: 'Get the weather for a city',
            parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
            parse: JSON.parse,
            function: (input: unknown) => {
              asked.push(input);
              return 'sunny, 21 degrees';
            },
          },
        },
      ],
    });
    expect(await runner.finalContent()).toMatch(/\w/);
    expect(asked).toEqual([{ city: 'Paris' }]);
  });

  it('gets an object that follows a schema', async () => {
    const completion = await client.beta.chat.completions.parse({
      ...ask('Give me a city as JSON.'),
      response_format: { type: 'json_schema', json_schema: { name: 'place', strict: true, schema } },
    });
    expect(['Oslo', 'Paris']).toContain((completion.choices[0]?.message.parsed as { city?: string } | null)?.city);
  });

  it('gets reasoning apart from the text', async () => {
    const { choices } = await client.chat.completions.create(ask('Hello /think'));
    expect(choices[0]?.message).toMatchObject({ reasoning_content: expect.stringMatching(/\w/) });
    expect(choices[0]?.message.content).not.toContain('<think>');
  });

  it('gets a response, whole and streamed, and continues it', async () => {
    const whole = await client.responses.create({ model: 'tiny', temperature: 0, input: 'Hello' });
    expect(whole.output_text).toBe('Hello! How can I help you today?');
    expect(whole.usage?.output_tokens).toBeGreaterThan(0);
    const streamed = await client.responses
      .stream({ model: 'tiny', temperature: 0, input: 'Count to 8', previous_response_id: whole.id })
      .finalResponse();
    expect(textOf(streamed)).toBe('1, 2, 3, 4, 5, 6, 7, 8');
  });

  it('raises with words when there is no such model', async () => {
    const failure = client.chat.completions.create({ ...ask('Hello'), model: 'absent' });
    await expect(failure).rejects.toMatchObject({ status: 404, message: expect.stringContaining('absent') });
  });
});

describe('openai 4, with an engine that misbehaves', () => {
  let engine: FakeEngine;
  let node: TestNode;
  let client: OpenAI4;

  shareRelay(async (relay) => {
    engine = await FakeEngine.start();
    node = await TestNode.start(relay, {
      engines: [{ kind: 'openai-compatible', base_url: engine.url, slots: 4 }],
    });
    client = new OpenAI4({ apiKey: relay.apiKey, baseURL: `${relay.baseUrl}/v1`, maxRetries: 0 });
  });

  afterAll(async () => {
    await node.stop();
    await engine.stop();
  }, 60_000);

  const readers: readonly [string, () => Promise<string | null | undefined>][] = [
    [
      'chat',
      async () =>
        (await client.beta.chat.completions.stream({ ...ask('hi'), model: 'fake' }).finalChatCompletion()).choices[0]
          ?.message.content,
    ],
    ['responses', async () => textOf(await client.responses.stream({ model: 'fake', input: 'hi' }).finalResponse())],
  ];

  describe.each(readers)('through %s', (_dialect, read) => {
    it.each(full)('returns the full response despite %s', async (_name, script) => {
      engine.respond = script;
      expect(await read()).toBe(TEXT);
    });

    it.each(raises)('raises on %s', async (_name, script) => {
      engine.respond = script;
      await expect(read()).rejects.toThrow();
    });
  });

  it('ends the work of the engine when it leaves a stream', async () => {
    const arrived = engine.nextCall();
    engine.respond = (call) => {
      call.startStream();
      call.chunk({ role: 'assistant', content: 'word' });
    };
    const stream = await client.chat.completions.create({ ...ask('hi'), model: 'fake', stream: true });
    for await (const { choices } of stream) if (choices[0]?.delta.content === 'word') break;
    await (
      await arrived
    ).aborted;
  });
});
