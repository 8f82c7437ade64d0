/** What the built-in engine answers. */
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ask, contentOf, TinyEngine } from '../../../../test/support/engine/tiny-engine.js';

jest.setTimeout(60_000);

const getWeather = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'Get the weather for a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};
const countTo = (last: number): string => Array.from({ length: last }, (_unused, index) => index + 1).join(', ');

describe('the built-in engine', () => {
  let tiny: TinyEngine;

  beforeAll(async () => {
    tiny = await TinyEngine.start({ slots: 8 });
  });

  afterAll(async () => {
    await tiny.stop();
  });

  it('reports the model with the traits of its file and template', () => {
    expect(tiny.models).toEqual([
      {
        engine_model: 'tiny',
        display_name: 'tiny',
        canonical_name: 'tiny',
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
        quantization: 'Q8_0',
        size_bytes: 975_904,
        context_length: 131_072,
        state: 'loaded',
        dialects: ['chat', 'completions'],
        extension_routes: ['count'],
        inputs: ['text'],
        tools: true,
        reasoning: true,
        embedding: false,
        device: 'processor',
        memory: { ram_bytes: expect.any(Number), vram_bytes: 0 },
      },
    ]);
    // The KV cache of 8 slots is 128 MiB; the buffers and the weights come on top.
    expect(tiny.models[0]?.memory?.ram_bytes).toBeGreaterThan(2 ** 27);
    expect(tiny.engine.facts()).toMatchObject({
      name: 'llamacpp',
      kind: 'llamacpp',
      version: expect.stringContaining('3.21.1'),
    });
  });

  it('gives no request a token that was computed for another one', async () => {
    for (let round = 0; round < 25; round += 1) {
      const responses = Array.from({ length: 8 }, async (_unused, index) => {
        // Apart, so that prompts and single tokens share a batch: llama.cpp sorts the logits of such batches.
        await setTimeout(index * 3);
        return tiny.message({ messages: ask(`Count to ${index + 3}`), temperature: 0 });
      });
      const texts = (await Promise.all(responses)).map(({ content }) => content);
      expect(texts).toEqual(Array.from({ length: 8 }, (_unused, index) => countTo(index + 3)));
    }
  });

  it('answers a greeting', async () => {
    const response = await tiny.whole({ messages: ask('Hello') });
    expect(response).toMatchObject({
      id: expect.stringMatching(/^chatcmpl-/),
      object: 'chat.completion',
      model: 'tiny',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'Hello! How can I help you today?' },
          finish_reason: 'stop',
        },
      ],
      // Nine tokens of template and question; nine of answer and the end of the turn.
      usage: { prompt_tokens: 9, completion_tokens: 10, total_tokens: 19 },
    });
  });

  it('streams the same answer: role first, then text, a finish reason and the usage', async () => {
    const chunks = await tiny.streamed({ messages: ask('Hello') });
    expect(chunks[0]?.choices[0]?.delta).toEqual({ role: 'assistant', content: '' });
    expect(contentOf(chunks)).toBe('Hello! How can I help you today?');
    expect(chunks.at(-2)?.choices[0]).toMatchObject({ delta: {}, finish_reason: 'stop' });
    expect(chunks.at(-1)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 9, completion_tokens: 10, total_tokens: 19 },
    });
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
    expect(chunks.filter(({ choices }) => choices[0]?.finish_reason != null)).toHaveLength(1);
  });

  it('follows a system message and earlier turns', async () => {
    const messages = [
      { role: 'developer', content: [{ type: 'text', text: 'Be brief.' }] },
      ...ask('Hello'),
      { role: 'assistant', content: 'Hello! How can I help you today?' },
      ...ask('Count to 8'),
    ];
    expect(await tiny.message({ messages })).toMatchObject({ content: '1, 2, 3, 4, 5, 6, 7, 8' });
  });

  it('calls a tool', async () => {
    const { choices } = await tiny.whole({ messages: ask('What is the weather in Paris?'), tools: [getWeather] });
    expect(choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: {
        content: null,
        tool_calls: [{ id: expect.stringMatching(/^call_/), type: 'function', function: { name: 'get_weather' } }],
      },
    });
    expect(JSON.parse(choices[0]?.message.tool_calls?.[0]?.function.arguments ?? '')).toEqual({ city: 'Paris' });
  });

  it('streams a tool call as its head and fragments of arguments', async () => {
    const chunks = await tiny.streamed({ messages: ask('What is the weather in Paris?'), tools: [getWeather] });
    const calls = chunks.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? []);
    expect(calls[0]).toEqual({
      index: 0,
      id: expect.stringMatching(/^call_/),
      type: 'function',
      function: { name: 'get_weather', arguments: '' },
    });
    expect(calls.slice(1).every((fragment) => fragment.index === 0 && fragment.id === undefined)).toBe(true);
    expect(JSON.parse(calls.map((fragment) => fragment.function.arguments).join(''))).toEqual({ city: 'Paris' });
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('tool_calls');
    expect(contentOf(chunks)).toBe('');
  });

  it('talks about the result of a tool', async () => {
    const messages = [
      ...ask('What is the weather in Paris?'),
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Paris"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: '{"temp": 12, "sky": "sunny"}' },
    ];
    const { choices } = await tiny.whole({ messages, tools: [getWeather] });
    expect(choices[0]?.finish_reason).toBe('stop');
    expect(choices[0]?.message.content).toContain('Paris');
  });

  it('obeys the tool choice', async () => {
    const add = {
      type: 'function',
      function: {
        name: 'add',
        parameters: {
          type: 'object',
          properties: { a: { type: 'integer' }, b: { type: 'integer' }, note: { type: 'string' } },
          required: ['a', 'b'],
        },
      },
    };
    const tools = [getWeather, add];
    const required = await tiny.whole({ messages: ask('Hello'), tools, tool_choice: 'required', max_tokens: 200 });
    expect(required.choices[0]?.finish_reason).toBe('tool_calls');

    const named = { type: 'function', function: { name: 'add' } };
    const forced = await tiny.whole({
      messages: ask('What is the weather in Oslo?'),
      tools,
      tool_choice: named,
      max_tokens: 200,
    });
    const [toolCall] = forced.choices[0]?.message.tool_calls ?? [];
    expect(toolCall?.function.name).toBe('add');
    expect(JSON.parse(toolCall?.function.arguments ?? '')).toMatchObject({
      a: expect.any(Number),
      b: expect.any(Number),
    });

    const none = await tiny.whole({ messages: ask('What is the weather in Paris?'), tools, tool_choice: 'none' });
    expect(none.choices[0]?.message.tool_calls).toBeUndefined();
  });

  it('writes JSON of the schema it is given', async () => {
    const schema = {
      type: 'object',
      properties: {
        name: { type: 'string', maxLength: 20 },
        age: { type: 'integer', minimum: 0 },
        tags: { type: 'array', items: { enum: ['a', 'b'] }, minItems: 1, maxItems: 3 },
      },
      required: ['name', 'age', 'tags'],
      additionalProperties: false,
    };
    const response_format = { type: 'json_schema', json_schema: { name: 'person', schema, strict: true } };
    for (const question of ['Give me a JSON object for a person.', 'Hello', 'What is the capital of Norway? /think']) {
      const { choices } = await tiny.whole({ messages: ask(question), response_format, max_tokens: 400 });
      expect(choices[0]?.finish_reason).toBe('stop');
      const value = JSON.parse(choices[0]?.message.content ?? '') as { name: string; age: number; tags: string[] };
      expect(Object.keys(value)).toEqual(['name', 'age', 'tags']);
      expect(value.name.length).toBeLessThanOrEqual(20);
      expect(Number.isInteger(value.age) && value.age >= 0).toBe(true);
      expect(value.tags.length).toBeGreaterThan(0);
      expect(value.tags.every((tag) => ['a', 'b'].includes(tag))).toBe(true);
    }
    const object = await tiny.message({
      messages: ask('Give me a JSON object.'),
      response_format: { type: 'json_object' },
    });
    expect(JSON.parse(object.content ?? '')).toEqual(expect.any(Object));
  });

  it('keeps reasoning apart from the answer', async () => {
    const response = await tiny.message({ messages: ask('What is the capital of Norway? /think') });
    expect(response.content).toBe('The capital of Norway is Oslo.');
    expect(response.reasoning_content).toContain('Norway');
    expect(response.reasoning_content).not.toMatch(/<\/?think>|^\s|\s$/);
    const chunks = await tiny.streamed({ messages: ask('What is the capital of Norway? /think') });
    const kinds = chunks.flatMap(({ choices }) => Object.keys(choices[0]?.delta ?? {})).filter((key) => key !== 'role');
    expect(kinds.indexOf('content', 1)).toBeGreaterThan(kinds.lastIndexOf('reasoning_content'));
  });

  it('stops before a stop text, also one that is split over tokens', async () => {
    for (const stop of [', 5', ['zz', '4, 5, 6']]) {
      const chunks = await tiny.streamed({ messages: ask('Count to 8'), stop });
      const text = contentOf(chunks);
      expect(text).toBe(stop === ', 5' ? '1, 2, 3, 4' : '1, 2, 3, ');
      expect(chunks.at(-2)?.choices[0]).toMatchObject({
        finish_reason: 'stop',
        // Clients of `messages` are told which one it was.
        stop_reason: stop === ', 5' ? ', 5' : '4, 5, 6',
      });
    }
  });

  it('stops at the token limit and says so', async () => {
    for (const limit of [{ max_tokens: 4 }, { max_tokens: 100, max_completion_tokens: 4 }]) {
      const response = await tiny.whole({ messages: ask('Count to 8'), ...limit });
      expect(response).toMatchObject({
        choices: [{ message: { content: '1, 2' }, finish_reason: 'length' }],
        usage: { completion_tokens: 4 },
      });
    }
  });

  it('the built-in engine is deterministic with a seed and varies without', async () => {
    const story = (seed?: number) =>
      tiny.message({
        messages: ask('Tell me a story about the sea.'),
        temperature: 1.5,
        top_k: 0,
        top_p: 1,
        max_tokens: 30,
        seed,
      });
    expect(await story(7)).toEqual(await story(7));
    expect(await story(7)).not.toEqual(await story(8));
    expect(await story()).not.toEqual(await story());
  });

  it('returns several choices', async () => {
    const { choices, usage } = await tiny.whole({ messages: ask('Count to 3'), n: 2 });
    expect(choices.map(({ index, message: { content } }) => [index, content])).toEqual([
      [0, '1, 2, 3'],
      [1, '1, 2, 3'],
    ]);
    expect(usage.total_tokens).toBe(usage.prompt_tokens + usage.completion_tokens);
  });

  it('completes a raw prompt', async () => {
    const prompt = '<|im_start|>user\nCount to 4<|im_end|>\n<|im_start|>assistant\n';
    expect(await tiny.whole({ prompt }, 'completions')).toMatchObject({
      id: expect.stringMatching(/^cmpl-/),
      object: 'text_completion',
      choices: [{ text: '1, 2, 3, 4', finish_reason: 'stop' }],
    });
    const chunks = await tiny.streamed({ prompt }, 'completions');
    expect(chunks.map(({ choices }) => choices[0]?.text ?? '').join('')).toBe('1, 2, 3, 4');
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 12 } });
  });

  it('completes with 16 tokens where the client names no limit', async () => {
    const prompt = '<|im_start|>user\nCount to 20<|im_end|>\n<|im_start|>assistant\n';
    const sent = await tiny.whole({ prompt, temperature: 0 }, 'completions');
    expect(sent).toMatchObject({ choices: [{ finish_reason: 'length' }], usage: { completion_tokens: 16 } });
  });
});
