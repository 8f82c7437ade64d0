/** `POST /v1/completions` through relay, link and node: the official client, on engines that have the route. */
import { describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { dataOf, eventsOf } from '../support/client/event-stream.js';
import { FakeEngine } from '../support/engine/fake-engine.js';
import { TestNode } from '../support/process/test-node.js';
import { shareDeployment } from '../support/process/shared-deployment.js';
import type { TestRelay } from '../support/process/test-relay.js';

/** A text that `tiny` was trained on; this route applies no template. */
const counting = (to: number): string => `<|im_start|>user\nCount to ${to}<|im_end|>\n<|im_start|>assistant\n`;

let relay: TestRelay;
let client: OpenAI;

shareDeployment((started) => {
  ({ relay } = started);
  client = new OpenAI({ apiKey: relay.apiKey, baseURL: `${relay.baseUrl}/v1`, maxRetries: 0 });
});

describe('the official client', () => {
  it('gets a text with usage, of 16 tokens by default', async () => {
    const completion = await client.completions.create({ model: 'tiny', temperature: 0, prompt: counting(4) });
    expect(completion).toMatchObject({
      object: 'text_completion',
      model: 'tiny',
      choices: [{ index: 0, text: '1, 2, 3, 4', finish_reason: 'stop' }],
    });
    expect(completion.id).toMatch(/^cmpl-/);
    expect(completion.usage?.total_tokens).toBeGreaterThan(0);
    const long = await client.completions.create({ model: 'tiny', temperature: 0, prompt: counting(20) });
    expect(long).toMatchObject({ choices: [{ finish_reason: 'length' }], usage: { completion_tokens: 16 } });
  });

  it('streams the same text, with usage only when it asks', async () => {
    const request = { model: 'tiny', temperature: 0, prompt: counting(8), max_tokens: 100, stream: true } as const;
    for (const options of [{}, { stream_options: { include_usage: true } }]) {
      const chunks = [];
      for await (const chunk of await client.completions.create({ ...request, ...options })) chunks.push(chunk);
      expect(chunks.map(({ choices }) => choices[0]?.text ?? '').join('')).toBe('1, 2, 3, 4, 5, 6, 7, 8');
      expect(new Set(chunks.map(({ object, model }) => `${object} ${model}`))).toEqual(
        new Set(['text_completion tiny']),
      );
      expect(chunks.filter(({ choices }) => choices[0]?.finish_reason === 'stop')).toHaveLength(1);
      expect(chunks.filter(({ usage }) => usage != null)).toHaveLength('stream_options' in options ? 1 : 0);
    }
  });

  it('stops at a stop sequence, which is not part of the text', async () => {
    const request = { model: 'tiny', temperature: 0, prompt: counting(8), stop: ', 5' };
    expect((await client.completions.create(request)).choices).toMatchObject([
      { text: '1, 2, 3, 4', finish_reason: 'stop' },
    ]);
  });

  it.each([
    ['a list of prompts', { prompt: ['a', 'b'] }, 'prompt'],
    ['tokens', { prompt: [1, 2] }, 'prompt'],
    ['what the engine does not do', { prompt: 'a', echo: true }, 'echo'],
  ])('the official client is refused %s', async (_, fields, param) => {
    const request = client.completions.create({ model: 'tiny', ...fields });
    await expect(request).rejects.toMatchObject({ status: 400, param });
  });
});

describe('another engine', () => {
  let engine: FakeEngine;
  let other: TestNode;

  const serveWith = async (entry: object): Promise<void> => {
    engine = await FakeEngine.start();
    other = await TestNode.start(relay, {
      engines: [{ kind: 'openai-compatible', base_url: engine.url, ...entry }],
    });
  };
  const stop = async (): Promise<void> => {
    await other.stop();
    await engine.stop();
  };

  it('another engine is never asked for text completions where its configured routes have none', async () => {
    await serveWith({ routes: ['chat'] });
    try {
      const request = client.completions.create({ model: 'fake', prompt: 'a' });
      await expect(request).rejects.toMatchObject({ status: 400, code: 'unsupported_capability', param: 'model' });
      expect(engine.calls).toEqual([]);
    } finally {
      await stop();
    }
  }, 60_000);

  it('gets the request unchanged with a configured route, and its failures are reported', async () => {
    await serveWith({ routes: ['chat', 'completions'] });
    try {
      engine.respond = (call) => {
        call.startStream();
        call.event({ object: 'text_completion', choices: [{ index: 0, text: 'Once', finish_reason: null }] });
        call.end();
      };
      const body = '{"prompt":"a",  "model":"fake", "stream":true, "top_k": 7}';
      const texts: string[] = [];
      const response = await relay.fetch('/v1/completions', { method: 'POST', body });
      for await (const { text } of eventsOf(response)) texts.push(text);
      const [call] = engine.calls;
      expect(call?.url).toBe('/v1/completions');
      expect(call?.body).toEqual({
        prompt: 'a',
        model: 'fake',
        stream: true,
        top_k: 7,
        stream_options: { include_usage: true },
      });
      expect(response.headers.get('x-ferry-translation')).toBe('native');
      expect(dataOf(texts)).toMatchObject([
        { object: 'text_completion', model: 'fake', choices: [{ text: 'Once' }] },
        { error: { code: 'engine_error', type: 'server_error' } },
      ]);
      expect(texts).not.toContain('data: [DONE]');
    } finally {
      await stop();
    }
  }, 60_000);
});
