/** The built-in engine with the model that ships with it: real tokens, no network. */
import { copyFile, mkdtemp, rm, unlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { filter, firstValueFrom } from 'rxjs';
import { systemClock } from '../../../kernel/clock.js';
import { EngineFailure, type Engine, type EngineModel, type EngineObject, type EngineRoute } from '../engine.js';
import { createLlamacppEngine } from './llamacpp-engine.js';

jest.setTimeout(60_000);

const enginePackageDirectory = path.resolve('engines/llamacpp');
const tiny = path.resolve('engines/models/tiny.gguf');

interface Delta {
  readonly role?: string;
  readonly content?: string;
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly ToolCall[];
}
interface ToolCall {
  readonly index?: number;
  readonly id?: string;
  readonly type?: string;
  readonly function: { readonly name?: string; readonly arguments: string };
}
interface Choice {
  readonly index: number;
  readonly delta: Delta;
  readonly message: {
    readonly content: string | null;
    readonly reasoning_content?: string;
    readonly tool_calls?: readonly ToolCall[];
  };
  readonly text: string;
  readonly finish_reason: string | null;
}
interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
}
type Answer = { readonly choices: readonly Choice[]; readonly usage: Usage };

const getWeather = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'Get the weather for a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};
const ask = (content: string) => [{ role: 'user', content }];
const untilLoaded = (engine: Engine) =>
  firstValueFrom(engine.models$.pipe(filter((models) => models.some(({ state }) => state === 'loaded'))));

describe('the built-in engine', () => {
  let engine: Engine;
  let models: readonly EngineModel[];

  beforeAll(async () => {
    const warnings: string[] = [];
    engine = createLlamacppEngine({
      enginePackageDirectory,
      modelsDirectory: path.dirname(tiny),
      load: ['tiny'],
      clock: systemClock,
      log: (level, message) => {
        if (level === 'warn') warnings.push(message);
      },
    });
    await engine.start();
    // Never skipped silently: without its packages the engine says what to run, and so does this suite.
    if (engine.facts().version === null) throw new Error(warnings.join('\n'));
    models = await untilLoaded(engine);
  });

  afterAll(async () => {
    await engine.stop();
  });

  const call = (body: EngineObject, stream: boolean, route: EngineRoute = 'chat', signal = new AbortController().signal) =>
    engine.run({
      route,
      engineModel: 'tiny',
      body: Buffer.from(JSON.stringify({ model: 'public-name', temperature: 0, ...body })),
      stream,
      signal,
    });

  async function whole(body: EngineObject, route: EngineRoute = 'chat'): Promise<Answer> {
    const answer = await call(body, false, route);
    if (answer.kind !== 'whole') throw new Error('expected a whole answer');
    return answer.object as unknown as Answer;
  }

  async function streamed(body: EngineObject, route: EngineRoute = 'chat'): Promise<readonly (EngineObject & Answer)[]> {
    const answer = await call(body, true, route);
    if (answer.kind !== 'stream') throw new Error('expected a stream');
    const chunks: EngineObject[] = [];
    for await (const step of answer.chunks) chunks.push(...step);
    return chunks as (EngineObject & Answer)[];
  }

  const message = async (body: EngineObject) => (await whole(body)).choices[0]?.message;

  const failure = async (body: EngineObject) => {
    const error: unknown = await whole(body).catch((reason: unknown) => reason);
    if (!(error instanceof EngineFailure)) throw new Error(`expected a failure, got ${JSON.stringify(error)}`);
    return error.failure;
  };

  it('reports the model with what its file and its template say', () => {
    expect(models).toEqual([
      {
        engine_model: 'tiny',
        display_name: 'tiny',
        canonical_name: 'tiny',
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
        quantization: 'Q8_0',
        size_bytes: 975_904,
        context_length: 8_192,
        state: 'loaded',
        dialects: ['chat', 'completions'],
        inputs: ['text'],
        tools: true,
        reasoning: true,
        embedding: false,
      },
    ]);
    expect(engine.facts()).toMatchObject({ name: 'llamacpp', kind: 'llamacpp', version: expect.stringContaining('3.21.1') });
  });

  it('answers a greeting', async () => {
    const answer = await whole({ messages: ask('Hello') });
    expect(answer).toMatchObject({
      id: expect.stringMatching(/^chatcmpl-/),
      object: 'chat.completion',
      model: 'tiny',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hello! How can I help you today?' }, finish_reason: 'stop' }],
      // Nine tokens of template and question; nine of answer and the end of the turn.
      usage: { prompt_tokens: 9, completion_tokens: 10, total_tokens: 19 },
    });
  });

  it('streams the same answer: role first, then text, a finish reason and the usage', async () => {
    const chunks = await streamed({ messages: ask('Hello') });
    expect(chunks[0]?.choices[0]?.delta).toEqual({ role: 'assistant', content: '' });
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')).toBe('Hello! How can I help you today?');
    expect(chunks.at(-2)?.choices[0]).toMatchObject({ delta: {}, finish_reason: 'stop' });
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 9, completion_tokens: 10, total_tokens: 19 } });
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
    expect(await message({ messages })).toMatchObject({ content: '1, 2, 3, 4, 5, 6, 7, 8' });
  });

  it('calls a tool', async () => {
    const { choices } = await whole({ messages: ask('What is the weather in Paris?'), tools: [getWeather] });
    expect(choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: { content: null, tool_calls: [{ id: expect.stringMatching(/^call_/), type: 'function', function: { name: 'get_weather' } }] },
    });
    expect(JSON.parse(choices[0]?.message.tool_calls?.[0]?.function.arguments ?? '')).toEqual({ city: 'Paris' });
  });

  it('streams a tool call as its head and fragments of arguments', async () => {
    const chunks = await streamed({ messages: ask('What is the weather in Paris?'), tools: [getWeather] });
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
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe('');
  });

  it('talks about the result of a tool', async () => {
    const messages = [
      ...ask('What is the weather in Paris?'),
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Paris"}' } }],
      },
      { role: 'tool', tool_call_id: 'call_1', content: '{"temp": 12, "sky": "sunny"}' },
    ];
    const { choices } = await whole({ messages, tools: [getWeather] });
    expect(choices[0]?.finish_reason).toBe('stop');
    expect(choices[0]?.message.content).toContain('Paris');
  });

  it('calls when it must, what it must, and never when it must not', async () => {
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
    const required = await whole({ messages: ask('Hello'), tools, tool_choice: 'required', max_tokens: 200 });
    expect(required.choices[0]?.finish_reason).toBe('tool_calls');

    const named = { type: 'function', function: { name: 'add' } };
    const forced = await whole({ messages: ask('What is the weather in Oslo?'), tools, tool_choice: named, max_tokens: 200 });
    const [toolCall] = forced.choices[0]?.message.tool_calls ?? [];
    expect(toolCall?.function.name).toBe('add');
    expect(JSON.parse(toolCall?.function.arguments ?? '')).toMatchObject({ a: expect.any(Number), b: expect.any(Number) });

    const none = await whole({ messages: ask('What is the weather in Paris?'), tools, tool_choice: 'none' });
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
      const { choices } = await whole({ messages: ask(question), response_format, max_tokens: 400 });
      expect(choices[0]?.finish_reason).toBe('stop');
      const value = JSON.parse(choices[0]?.message.content ?? '') as { name: string; age: number; tags: string[] };
      expect(Object.keys(value)).toEqual(['name', 'age', 'tags']);
      expect(value.name.length).toBeLessThanOrEqual(20);
      expect(Number.isInteger(value.age) && value.age >= 0).toBe(true);
      expect(value.tags.length).toBeGreaterThan(0);
      expect(value.tags.every((tag) => ['a', 'b'].includes(tag))).toBe(true);
    }
    const object = await message({ messages: ask('Give me a JSON object.'), response_format: { type: 'json_object' } });
    expect(JSON.parse(object?.content ?? '')).toEqual(expect.any(Object));
  });

  it('keeps reasoning apart from the answer', async () => {
    const answer = await message({ messages: ask('What is the capital of Norway? /think') });
    expect(answer?.content).toBe('The capital of Norway is Oslo.');
    expect(answer?.reasoning_content).toContain('Norway');
    expect(answer?.reasoning_content).not.toMatch(/<\/?think>|^\s|\s$/);
    const chunks = await streamed({ messages: ask('What is the capital of Norway? /think') });
    const kinds = chunks.flatMap(({ choices }) => Object.keys(choices[0]?.delta ?? {})).filter((key) => key !== 'role');
    expect(kinds.indexOf('content', 1)).toBeGreaterThan(kinds.lastIndexOf('reasoning_content'));
  });

  it('stops before a stop text, also one that is split over tokens', async () => {
    for (const stop of [', 5', ['zz', '4, 5, 6']]) {
      const chunks = await streamed({ messages: ask('Count to 8'), stop });
      const text = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
      expect(text).toBe(stop === ', 5' ? '1, 2, 3, 4' : '1, 2, 3, ');
      expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop');
    }
  });

  it('stops at the token limit and says so', async () => {
    for (const limit of [{ max_tokens: 4 }, { max_tokens: 100, max_completion_tokens: 4 }]) {
      const answer = await whole({ messages: ask('Count to 8'), ...limit });
      expect(answer).toMatchObject({
        choices: [{ message: { content: '1, 2' }, finish_reason: 'length' }],
        usage: { completion_tokens: 4 },
      });
    }
  });

  it('repeats itself with a seed and varies without', async () => {
    const story = (seed?: number) =>
      message({ messages: ask('Tell me a story about the sea.'), temperature: 1.5, top_k: 0, top_p: 1, max_tokens: 30, seed });
    expect(await story(7)).toEqual(await story(7));
    expect(await story(7)).not.toEqual(await story(8));
    expect(await story()).not.toEqual(await story());
  });

  it('gives several choices', async () => {
    const { choices, usage } = await whole({ messages: ask('Count to 3'), n: 2 });
    expect(choices.map(({ index, message: { content } }) => [index, content])).toEqual([
      [0, '1, 2, 3'],
      [1, '1, 2, 3'],
    ]);
    expect(usage.total_tokens).toBe(usage.prompt_tokens + usage.completion_tokens);
  });

  it('completes a raw prompt', async () => {
    const prompt = '<|im_start|>user\nCount to 4<|im_end|>\n<|im_start|>assistant\n';
    expect(await whole({ prompt }, 'completions')).toMatchObject({
      id: expect.stringMatching(/^cmpl-/),
      object: 'text_completion',
      choices: [{ text: '1, 2, 3, 4', finish_reason: 'stop' }],
    });
    const chunks = await streamed({ prompt }, 'completions');
    expect(chunks.map(({ choices }) => choices[0]?.text ?? '').join('')).toBe('1, 2, 3, 4');
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 12 } });
  });

  it('runs as many streams at once as it has slots, and mixes none of them', async () => {
    const counts = await Promise.all(
      [5, 6, 7, 8].map(async (count) => {
        const chunks = await streamed({ messages: ask(`Count to ${count}`) });
        return chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
      }),
    );
    expect(counts).toEqual(['1, 2, 3, 4, 5', '1, 2, 3, 4, 5, 6', '1, 2, 3, 4, 5, 6, 7', '1, 2, 3, 4, 5, 6, 7, 8']);
  });

  it('waits for its reader: nothing is computed while nobody reads', async () => {
    const answer = await call({ messages: ask('Count to 20') }, true);
    if (answer.kind !== 'stream') throw new Error('expected a stream');
    const iterator = answer.chunks[Symbol.asyncIterator]();
    const first = await iterator.next();
    expect(JSON.stringify(first.value)).not.toContain('finish_reason":"stop');
    // The other slots are free meanwhile, and reading on goes on where it stopped.
    expect(await message({ messages: ask('Hello') })).toMatchObject({ content: 'Hello! How can I help you today?' });
    let rest = '';
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) rest += JSON.stringify(next.value);
    expect(rest).toContain('finish_reason":"stop');
  });

  it.each([
    ['in prefill', 'The quick brown fox jumps over the lazy dog. '.repeat(250), 0],
    ['in decode', 'Tell me a story about the sea.', 5],
  ])('ends with the reason of an abort %s, and has its slot back within a second', async (_phase, content, steps) => {
    const controller = new AbortController();
    const reason = new Error('client gone');
    const answer = await call({ messages: ask(content), temperature: 1 }, true, 'chat', controller.signal);
    if (answer.kind !== 'stream') throw new Error('expected a stream');
    const iterator = answer.chunks[Symbol.asyncIterator]();
    for (let step = 0; step < steps; step += 1) await iterator.next();
    const pending = iterator.next();
    controller.abort(reason);
    await expect(pending).rejects.toBe(reason);
    const startedMs = performance.now();
    const all = await Promise.all([1, 2, 3, 4].map(() => message({ messages: ask('Hello'), max_tokens: 1 })));
    expect(all).toHaveLength(4);
    expect(performance.now() - startedMs).toBeLessThan(1_000);
  });

  it('frees the slot of a stream that is aborted before it is read, or that its reader leaves', async () => {
    for (let round = 0; round < 5; round += 1) {
      const controller = new AbortController();
      await call({ messages: ask('Hello') }, true, 'chat', controller.signal);
      controller.abort(new Error('client gone'));
      const left = await call({ messages: ask('Hello') }, true);
      if (left.kind === 'stream') for await (const _step of left.chunks) break;
    }
    expect(await message({ messages: ask('Hello') })).toMatchObject({ content: 'Hello! How can I help you today?' });
  });

  it('says that it is busy when every slot is taken', async () => {
    const controller = new AbortController();
    await Promise.all([1, 2, 3, 4].map(() => call({ messages: ask('Hello') }, true, 'chat', controller.signal)));
    expect(await failure({ messages: ask('Hello') })).toMatchObject({ status: 429, retry_after_seconds: 1 });
    controller.abort(new Error('over'));
  });

  it('refuses what does not fit into the context, with the numbers', async () => {
    const rejected = { code: 'engine_rejected_request', status: 400, param: 'messages' };
    expect(await failure({ messages: ask('word '.repeat(9_000)) })).toMatchObject({
      ...rejected,
      message: 'the prompt has 27009 tokens and exceeds the context size of 8192 tokens (exceed_context_size_error)',
    });
    expect(await failure({ messages: ask('word '.repeat(200_000)) })).toMatchObject({
      ...rejected,
      message: expect.stringMatching(/^the prompt has about 5\d{5} tokens/),
    });
  });

  it('ends with the context: a long answer is cut, not shifted', async () => {
    const prompt = 'word '.repeat(2_700);
    const { choices, usage } = await whole({ messages: ask(prompt), temperature: 1.5, max_tokens: 5_000, stop: undefined });
    expect(usage.total_tokens).toBeLessThanOrEqual(8_192);
    expect(['stop', 'length']).toContain(choices[0]?.finish_reason);
  });

  it('refuses media and what it cannot do, naming the field', async () => {
    const image = { role: 'user', content: [{ type: 'text', text: 'What is it?' }, { type: 'image_url', image_url: { url: 'data:,' } }] };
    expect(await failure({ messages: [image] })).toMatchObject({
      code: 'unsupported_capability',
      status: 400,
      param: 'messages[0].content[1]',
    });
    expect(await failure({ messages: ask('Hello'), logprobs: true })).toMatchObject({
      code: 'unsupported_parameter',
      status: 400,
      param: 'logprobs',
    });
  });

  it('does not take the text of a control token for the token', async () => {
    const plain = await whole({ messages: ask('Hello'), max_tokens: 1 });
    const sneaky = await whole({ messages: ask('Hello<|im_end|>'), max_tokens: 1 });
    // As a control token it would be one more; as text it is many.
    expect(sneaky.usage.prompt_tokens).toBeGreaterThan(plain.usage.prompt_tokens + 3);
  });

  it('does not know a model that is not loaded', async () => {
    const { signal } = new AbortController();
    const run = engine.run({ route: 'chat', engineModel: 'other', body: Buffer.from('{}'), stream: false, signal });
    await expect(run).rejects.toMatchObject({ failure: { code: 'engine_error', param: 'model' } });
  });
});

describe('the models folder of the built-in engine', () => {
  it('is watched: files appear, load where they should, and vanish', async () => {
    const modelsDirectory = await mkdtemp(path.join(os.tmpdir(), 'ferry-models-'));
    const engine = createLlamacppEngine({
      enginePackageDirectory,
      modelsDirectory,
      load: ['wanted'],
      slots: 1,
      contextTokens: 512,
      rescanMs: 20,
      clock: systemClock,
    });
    const listed = (expected: Record<string, string>) =>
      firstValueFrom(
        engine.models$.pipe(
          filter((list) => JSON.stringify(list.map((model) => [model.engine_model, model.state])) === JSON.stringify(Object.entries(expected))),
        ),
      );
    try {
      await engine.start();
      await listed({});
      await copyFile(tiny, path.join(modelsDirectory, 'wanted.gguf'));
      await listed({ wanted: 'loaded' });
      await copyFile(tiny, path.join(modelsDirectory, 'Other-Q8_0.gguf'));
      const [, other] = await listed({ wanted: 'loaded', 'Other-Q8_0': 'installed' });
      expect(other).toMatchObject({ display_name: 'Other-Q8_0', canonical_name: 'other', quantization: 'Q8_0' });
      await unlink(path.join(modelsDirectory, 'wanted.gguf'));
      await listed({ 'Other-Q8_0': 'installed' });
    } finally {
      await engine.stop();
      await rm(modelsDirectory, { recursive: true });
    }
  });

  it('without its packages the engine has no models and says what to run', async () => {
    const messages: string[] = [];
    const engine = createLlamacppEngine({
      enginePackageDirectory: os.tmpdir(),
      modelsDirectory: path.dirname(tiny),
      load: 'all',
      clock: systemClock,
      log: (_level, message) => messages.push(message),
    });
    await engine.start();
    expect(await firstValueFrom(engine.models$)).toEqual([]);
    expect(engine.facts()).toEqual({ name: 'llamacpp', kind: 'llamacpp', version: null });
    expect(messages).toEqual([expect.stringContaining('npm ci --ignore-scripts')]);
    await engine.stop();
  });
});
