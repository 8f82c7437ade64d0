/** Several requests at once, slow readers, aborts, and what the built-in engine refuses. */
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ask, contentOf, tinyFile, TinyEngine } from '../../../../test/support/engine/tiny-engine.js';

jest.setTimeout(60_000);

describe('limits of the built-in engine', () => {
  let tiny: TinyEngine;

  beforeAll(async () => {
    tiny = await TinyEngine.start();
  });

  afterAll(async () => {
    await tiny.stop();
  });

  it('runs as many streams at once as it has slots, without mixing them', async () => {
    const counts = await Promise.all(
      [5, 6, 7, 8].map(async (count) => contentOf(await tiny.streamed({ messages: ask(`Count to ${count}`) }))),
    );
    expect(counts).toEqual(['1, 2, 3, 4, 5', '1, 2, 3, 4, 5, 6', '1, 2, 3, 4, 5, 6, 7', '1, 2, 3, 4, 5, 6, 7, 8']);
  });

  it('computes nothing while its reader does not read', async () => {
    const iterator = await tiny.iterator({ messages: ask('Count to 20') });
    const first = await iterator.next();
    expect(JSON.stringify(first.value)).not.toContain('finish_reason":"stop');
    // The other slots are free meanwhile, and reading on goes on where it stopped.
    expect(await tiny.message({ messages: ask('Hello') })).toMatchObject({
      content: 'Hello! How can I help you today?',
    });
    let rest = '';
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next())
      rest += JSON.stringify(next.value);
    expect(rest).toContain('finish_reason":"stop');
  });

  it.each([
    ['in prefill', 'The quick brown fox jumps over the lazy dog. '.repeat(250), 0],
    ['in decode', 'Tell me a story about the sea.', 5],
  ])('ends with the abort reason %s, and frees its slot within a second', async (_phase, content, steps) => {
    const controller = new AbortController();
    const reason = new Error('client gone');
    const iterator = await tiny.iterator({ messages: ask(content), temperature: 1 }, controller.signal);
    for (let step = 0; step < steps; step += 1) await iterator.next();
    const pending = iterator.next();
    controller.abort(reason);
    await expect(pending).rejects.toBe(reason);
    const startedMs = performance.now();
    const all = await Promise.all([1, 2, 3, 4].map(() => tiny.message({ messages: ask('Hello'), max_tokens: 1 })));
    expect(all).toHaveLength(4);
    expect(performance.now() - startedMs).toBeLessThan(1_000);
  });

  it('frees the slot of a stream that is aborted before reading or abandoned', async () => {
    for (let round = 0; round < 5; round += 1) {
      const controller = new AbortController();
      await tiny.call({ messages: ask('Hello') }, true, { signal: controller.signal });
      controller.abort(new Error('client gone'));
      const left = await tiny.iterator({ messages: ask('Hello') });
      await left.next();
      await left.return?.();
    }
    expect(await tiny.message({ messages: ask('Hello') })).toMatchObject({
      content: 'Hello! How can I help you today?',
    });
  });

  it('fails as busy when every slot is taken', async () => {
    const controller = new AbortController();
    await Promise.all(
      [1, 2, 3, 4].map(() => tiny.call({ messages: ask('Hello') }, true, { signal: controller.signal })),
    );
    expect(await tiny.failure({ messages: ask('Hello') })).toMatchObject({ status: 429, retry_after_seconds: 1 });
    controller.abort(new Error('over'));
  });

  it('refuses a prompt beyond the context, with the numbers', async () => {
    const rejected = { code: 'engine_rejected_request', status: 400, param: 'messages' };
    expect(await tiny.failure({ messages: ask('word '.repeat(45_000)) })).toMatchObject({
      ...rejected,
      message: 'the prompt has 135009 tokens and exceeds the context size of 131072 tokens (exceed_context_size_error)',
      context_overflow: { prompt_tokens: 135_009, max_tokens: null, context_tokens: 131_072 },
    });
    const estimated = await tiny.failure({ messages: ask('word '.repeat(700_000)) });
    expect(estimated).toMatchObject({ ...rejected, context_overflow: { context_tokens: 131_072 } });
    expect(estimated.context_overflow?.prompt_tokens).toBeGreaterThan(1_500_000);
  });

  it('refuses media and unsupported features, naming the field', async () => {
    const image = {
      role: 'user',
      content: [
        { type: 'text', text: 'What is it?' },
        { type: 'image_url', image_url: { url: 'data:,' } },
      ],
    };
    expect(await tiny.failure({ messages: [image] })).toMatchObject({
      code: 'unsupported_capability',
      status: 400,
      param: 'messages[0].content[1]',
    });
    expect(await tiny.failure({ messages: ask('Hello'), logprobs: true })).toMatchObject({
      code: 'unsupported_parameter',
      status: 400,
      param: 'logprobs',
    });
  });

  it('forces a required call even when reasoning does not end', async () => {
    const tool = { type: 'function', function: { name: 'now', parameters: { type: 'object', properties: {} } } };
    for (let seed = 0; seed < 12; seed += 1) {
      const { choices } = await tiny.whole({
        messages: ask('Count to 5 /think'),
        tools: [tool],
        tool_choice: 'required',
        parallel_tool_calls: false,
        temperature: 2,
        seed,
        max_tokens: 1_000,
      });
      expect(choices[0]).toMatchObject({
        finish_reason: 'tool_calls',
        message: { tool_calls: [{ function: { name: 'now', arguments: expect.stringMatching(/^\{[^]*\}$/) } }] },
      });
    }
  });

  it('limits of the built-in engine does not treat the text of a control token as the token', async () => {
    const plain = await tiny.whole({ messages: ask('Hello'), max_tokens: 1 });
    const sneaky = await tiny.whole({ messages: ask('Hello<|im_end|>'), max_tokens: 1 });
    // As a control token it would be one more; as text it is many.
    expect(sneaky.usage.prompt_tokens).toBeGreaterThan(plain.usage.prompt_tokens + 3);
  });

  it('refuses a model that is not loaded', async () => {
    const { signal } = new AbortController();
    const run = tiny.engine.run({
      route: 'chat',
      engineModel: 'other',
      body: Buffer.from('{}'),
      stream: false,
      signal,
    });
    await expect(run).rejects.toMatchObject({ failure: { code: 'engine_error', param: 'model' } });
  });
});

describe('the context of the built-in engine', () => {
  it('the context of the built-in engine is the trained length: a prompt beyond the shared context is read completely and continued', async () => {
    const tiny = await TinyEngine.start();
    try {
      expect(tiny.models).toMatchObject([{ context_length: 131_072 }]);
      const messages = ask('word '.repeat(2_900));
      const first = await tiny.whole({ messages, max_tokens: 4 });
      expect(first.usage.prompt_tokens).toBe(8_709);
      const again = await tiny.whole({ messages: [...messages, ...ask('more')], max_tokens: 4 });
      expect(again.usage).toMatchObject({ prompt_tokens_details: { cached_tokens: 8_707 } });
    } finally {
      await tiny.stop();
    }
  });

  it('the context of the built-in engine is the length that fits into free memory, and a longer prompt is refused with it', async () => {
    const tiny = await TinyEngine.start({ freeMemoryBytes: () => 200 * 1024 * 1024 });
    try {
      const [model] = tiny.models;
      const contextLength = model?.context_length ?? 0;
      expect(contextLength).toBeGreaterThan(8_192);
      expect(contextLength).toBeLessThan(131_072);
      expect(await tiny.failure({ messages: ask('word '.repeat(30_000)) })).toMatchObject({
        context_overflow: { prompt_tokens: 90_009, context_tokens: contextLength },
      });
    } finally {
      await tiny.stop();
    }
  });

  it('is a quarter as long for a bundled model as for an installed one where no memory is left after the load', async () => {
    const folder = path.dirname(tinyFile);
    const nothingInstalled = path.join(folder, 'not-there');
    const lengths: unknown[] = [];
    for (const folders of [
      { modelsDirectory: folder },
      { modelsDirectory: nothingInstalled, bundledModelsDirectory: folder },
    ]) {
      let free = 1024 * 1024 * 1024;
      const tiny = await TinyEngine.start({
        ...folders,
        freeMemoryBytes: () => {
          const before = free;
          free = 0;
          return before;
        },
      });
      lengths.push(tiny.models[0]?.context_length);
      await tiny.stop();
    }
    expect(lengths).toEqual([8_192, 2_048]);
  });

  it('the context of the built-in engine is the configured length for every slot', async () => {
    const tiny = await TinyEngine.start({ contextTokens: 1_024 });
    try {
      expect(tiny.models).toMatchObject([{ context_length: 1_024 }]);
      expect(await tiny.failure({ messages: ask('word '.repeat(1_000)) })).toMatchObject({
        context_overflow: { prompt_tokens: 3_009, context_tokens: 1_024 },
      });
    } finally {
      await tiny.stop();
    }
  });

  it('grows when an answer fills the shared part', async () => {
    const tiny = await TinyEngine.start();
    try {
      // The shared part has 8,192 tokens. Numbers have two tokens or more each, so that the response cannot end before its limit.
      const schema = { type: 'array', items: { type: 'integer' }, minItems: 60 };
      const response = await tiny.whole({
        messages: ask('word '.repeat(2_717)),
        response_format: { type: 'json_schema', json_schema: { schema } },
        max_tokens: 100,
      });
      expect(response).toMatchObject({
        choices: [{ finish_reason: 'length' }],
        usage: { prompt_tokens: 8_160, completion_tokens: 100 },
      });
    } finally {
      await tiny.stop();
    }
  });

  it('truncates an answer that fills it, without shifting', async () => {
    const small = await TinyEngine.start({ slots: 1, contextTokens: 256 });
    try {
      const schema = { type: 'array', items: { type: 'integer' }, minItems: 400 };
      const response = await small.whole({
        messages: ask('Count to 20'),
        response_format: { type: 'json_schema', json_schema: { schema } },
      });
      expect(response).toMatchObject({ choices: [{ finish_reason: 'length' }], usage: { total_tokens: 256 } });
    } finally {
      await small.stop();
    }
  });
});

describe('stopping the built-in engine', () => {
  it('fails running requests, and accepts no new ones', async () => {
    const tiny = await TinyEngine.start({ contextTokens: 1_024 });
    const iterator = await tiny.iterator({ messages: ask('Tell me a story about the sea.') });
    await iterator.next();
    const outcome = iterator.next().then(
      () => 'went on',
      (error: unknown) => error,
    );
    await tiny.stop();
    // The token that was being computed may still have come.
    const failure =
      (await outcome) === 'went on' ? await iterator.next().catch((error: unknown) => error) : await outcome;
    expect(failure).toMatchObject({ failure: { code: 'engine_error' } });
    expect(await tiny.failure({ messages: ask('Hello') })).toMatchObject({ code: 'engine_error', param: 'model' });
  });
});
